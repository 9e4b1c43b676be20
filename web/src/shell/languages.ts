// The language switch stays on the place: it leads to the section that is
// being read, whose id is the same in every language. The switch is at the top
// of the page, so the place is where the reader last stayed, not where the
// page happens to be when it is pressed.

/** How long a section must be on the screen to be the place, in milliseconds. */
const STAY = 800;

export function languages(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('.langs a');
  const headings = [...document.querySelectorAll<HTMLElement>('main article :is(h2, h3)[id]')];
  const lead = (id: string): void => {
    for (const link of links) link.hash = id;
  };
  const named = (): void => lead(decodeURIComponent(location.hash.slice(1)));
  let timer = 0;
  addEventListener('hashchange', named);
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const line = innerHeight / 3;
      const read = headings.findLast(heading => heading.getBoundingClientRect().top <= line);
      if (read) lead(read.id); // above the first one is where the switch is
    }, STAY);
  }, {passive: true});
  named();
}
