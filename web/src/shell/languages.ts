// The language switch stays on the place: it leads to the section that is
// being read, whose id is the same in every language.

/** The id of the section at the top of the window; '' above the first one. */
function place(): string {
  const line = innerHeight / 3;
  // What the address names is the place as long as it is in view.
  const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named) {
    const {top, bottom} = named.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) return named.id;
  }
  const headings = [...document.querySelectorAll<HTMLElement>('main article :is(h2, h3)[id]')];
  return headings.findLast(heading => heading.getBoundingClientRect().top <= line)?.id ?? '';
}

export function languages(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.langs a')) {
    // Right before it is followed, in whatever way.
    for (const kind of ['click', 'auxclick', 'contextmenu']) {
      link.addEventListener(kind, () => {
        link.hash = place();
      });
    }
  }
}
