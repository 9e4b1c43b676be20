// Runs in a frame of its own and draws for the page around it. Mermaid writes
// styles into the document it measures in, which no page of the course allows;
// this frame's policy does, and it can do nothing else: no requests, no images.
// What leaves it has no style in its markup.

import mermaid from 'mermaid';
import {styleKept, type Asked, type Drawn, type Theme} from './drawn.ts';

function configure(t: Theme): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    theme: 'base',
    fontFamily: t.font,
    themeVariables: {
      darkMode: t.dark,
      fontFamily: t.font,
      fontSize: '15px',
      background: t.paper,
      primaryColor: t.card,
      primaryBorderColor: t.edge,
      primaryTextColor: t.ink,
      secondaryColor: t.card,
      tertiaryColor: t.paper,
      lineColor: t.soft,
      textColor: t.ink,
      mainBkg: t.card,
      nodeBorder: t.edge,
      edgeLabelBackground: t.paper,
      actorBkg: t.card,
      actorBorder: t.edge,
      actorTextColor: t.ink,
      actorLineColor: t.line,
      signalColor: t.soft,
      signalTextColor: t.ink,
      labelBoxBkgColor: t.card,
      labelBoxBorderColor: t.edge,
      labelTextColor: t.ink,
      loopTextColor: t.ink,
      noteBkgColor: t.wash,
      noteBorderColor: t.drain,
      noteTextColor: t.ink,
      activationBkgColor: t.wash,
      activationBorderColor: t.drain,
    },
    sequence: {
      mirrorActors: false, useMaxWidth: false, wrap: true, width: 112, height: 36, actorMargin: 22, messageMargin: 26, boxMargin: 6, noteMargin: 8,
      diagramMarginX: 4, diagramMarginY: 4, messageFontSize: 14, actorFontSize: 14, noteFontSize: 14,
      messageFontFamily: t.font, actorFontFamily: t.font, noteFontFamily: t.font,
    },
    flowchart: {useMaxWidth: false},
    state: {useMaxWidth: false},
  });
}

async function draw(asked: Asked): Promise<Drawn> {
  configure(asked.theme);
  // The first family is the course's own; those after it may be missing here.
  const [family = ''] = asked.theme.font.split(',');
  await document.fonts.load(`15px ${family}`, asked.source);
  const {svg} = await mermaid.render(`${asked.id}-svg`, asked.source);
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const drawing = holder.querySelector('svg');
  if (!drawing) throw new Error('Mermaid drew nothing');
  let css = '';
  for (const style of drawing.querySelectorAll('style')) {
    css += style.textContent;
    style.remove();
  }
  for (const element of [drawing, ...drawing.querySelectorAll('[style]')]) {
    const style = element.getAttribute('style');
    if (style) element.setAttribute(styleKept, style);
    element.removeAttribute('style');
  }
  return {id: asked.id, svg: new XMLSerializer().serializeToString(drawing), css};
}

// One after another: Mermaid's configuration is its module's own.
let turn = Promise.resolve();

addEventListener('message', (event: MessageEvent<Asked>) => {
  const [port] = event.ports;
  if (event.origin !== location.origin || !port) return;
  const asked = event.data;
  turn = turn.then(async () => {
    let answer: Drawn;
    try {
      answer = await draw(asked);
    } catch (error) {
      answer = {id: asked.id, failed: String(error)};
    }
    port.postMessage(answer);
  });
});

// The page looks for this: a frame that did not come whole also loads.
document.documentElement.dataset['draws'] = '';
