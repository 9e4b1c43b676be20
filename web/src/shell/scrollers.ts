// Code and tables that are wider than their place scroll, and what scrolls must
// be within reach of the keyboard.

export function scrollers(): void {
  const watched = document.querySelectorAll<HTMLElement>('main pre, main table, aside.lab');
  const look = (element: HTMLElement): void => {
    const overflows = element.scrollWidth > element.clientWidth + 1
      || (element.localName === 'aside' && element.scrollHeight > element.clientHeight + 1);
    if (overflows) {
      if (!element.hasAttribute('tabindex')) element.tabIndex = 0;
    } else if (element.tabIndex === 0) {
      element.removeAttribute('tabindex');
    }
  };
  const observer = new ResizeObserver(entries => {
    for (const {target} of entries) look(target as HTMLElement);
  });
  for (const element of watched) observer.observe(element);
}
