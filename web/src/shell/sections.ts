// Marks, in the lesson's list of sections, the one that is being read.

/** The section whose heading was the last to pass the upper third of the window. */
function current(headings: readonly HTMLElement[]): HTMLElement | undefined {
  const line = innerHeight / 3;
  return headings.findLast(heading => heading.getBoundingClientRect().top <= line);
}

export function sectionTracking(): void {
  const links = new Map<string, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  }
  const headings = [...document.querySelectorAll<HTMLElement>('main article :is(h2, h3)[id]')]
    .filter(heading => links.has(heading.id));
  if (headings.length === 0) return;
  let marked: Element | undefined;
  const mark = (): void => {
    const heading = current(headings);
    const link = heading && links.get(heading.id);
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    marked = link;
  };
  let asked = false;
  addEventListener('scroll', () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      mark();
    });
  }, {passive: true});
  mark();
}
