export type Lang = 'en' | 'ru';

/** The page's language. */
export function lang(): Lang {
  return document.documentElement.lang === 'ru' ? 'ru' : 'en';
}
