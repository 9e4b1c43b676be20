// The reader's choice of light or dark, kept in the browser; none is the
// system's own.

export type Choice = 'light' | 'dark' | 'system';

const key = 'drainlab.theme';

export function kept(): Choice {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system'; // storage is switched off: the choice lasts for the page
  }
}

export function apply(choice: Choice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

export function keep(choice: Choice): void {
  try {
    if (choice === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // as above
  }
}
