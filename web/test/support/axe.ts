// axe, the checker of accessibility, in a page whose policy lets no such
// script in: the browser's own debugger runs it.

import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Page} from '@playwright/test';
import {root} from './server.ts';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {readonly target: readonly string[]; readonly failureSummary?: string}[];
}

interface Axe {
  run(context: Element, options: object): Promise<{violations: Violation[]; passes: {id: string}[]}>;
}

let source: Promise<string> | undefined;

/** All that axe finds wrong in a part of the page, a line each place. It throws when axe looked at nothing. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  source ??= readFile(join(root, 'web', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source);
  const {violations: found, passes} = await page.evaluate(selector => {
    const element = document.querySelector(selector);
    if (element === null) throw new Error(`there is no ${selector}`);
    // The frame that diagrams are drawn in is for no one to see.
    return (window as unknown as {axe: Axe}).axe.run(element, {iframes: false, resultTypes: ['violations', 'passes']});
  }, part);
  for (const rule of part === 'html' ? ['color-contrast', 'document-title', 'html-has-lang'] : ['color-contrast']) {
    if (![...passes, ...found].some(r => r.id === rule)) throw new Error(`axe did not look at ${rule}`);
  }
  return found.flatMap(v => v.nodes.map(n => `${v.id}: ${v.help}: ${n.target.join(' ')}: ${(n.failureSummary ?? '').replace(/\s+/g, ' ')}`));
}
