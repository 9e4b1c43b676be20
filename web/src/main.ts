// The entry of every page: what the shell does, then the page's own elements.

import {progressOnPage} from './progress/page.ts';
import {labJump} from './shell/jump.ts';
import {languages} from './shell/languages.ts';
import {printing} from './shell/printing.ts';
import {scrollers} from './shell/scrollers.ts';
import {sectionTracking} from './shell/sections.ts';
import {shortcuts} from './shell/shortcuts.ts';
import {upgrade} from './shell/upgrade.ts';
import {themeToggle} from './theme/toggle.ts';

// Each part by itself: one that fails leaves the others working.
for (const start of [themeToggle, languages, shortcuts, labJump, scrollers, sectionTracking, printing, progressOnPage]) {
  try {
    start();
  } catch (error) {
    console.error(error);
  }
}
void upgrade(document);
if ('dev' in document.documentElement.dataset) {
  import('./dev.ts').then(({reloadOnChange}) => reloadOnChange(), (error: unknown) => console.error(error));
}
