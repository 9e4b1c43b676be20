// The theme button: system → light → dark → system. All such buttons, and all
// open pages, stay in step.

import {apply, keep, kept, type Choice} from './choice.ts';
import {lang} from '../shell/lang.ts';

const next: Record<Choice, Choice> = {system: 'light', light: 'dark', dark: 'system'};

const words: Record<'en' | 'ru', Record<Choice, string>> = {
  en: {system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark'},
  ru: {system: 'Тема: как в системе', light: 'Тема: светлая', dark: 'Тема: тёмная'},
};

export function themeToggle(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button.theme');
  let choice = kept();
  const show = (): void => {
    apply(choice);
    for (const button of buttons) {
      button.dataset['choice'] = choice;
      button.setAttribute('aria-label', words[lang()][choice]);
      button.title = words[lang()][choice];
    }
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      choice = next[choice];
      keep(choice);
      show();
    });
  }
  addEventListener('storage', () => {
    choice = kept();
    show();
  });
  show();
}
