// Moving an item between lists with a pointer: mouse, pen or finger. A mouse
// takes hold of the item anywhere, a finger of its handle, since elsewhere it
// scrolls the page.

export interface Drag {
  /** The lists between which items move; each holds them as direct children. */
  readonly lists: readonly HTMLElement[];
  /** Selects items, and within one its handle. */
  readonly item: string;
  readonly handle: string;
  /** Whether anything can be moved now. */
  readonly allowed: () => boolean;
  /** Called when an item was let go over a list, to be put before another or at the end. */
  readonly drop: (item: HTMLElement, list: HTMLElement, before: HTMLElement | null) => void;
}

/** How far a pointer goes before it drags, in pixels: less is a click. */
const SLACK = 5;
/** How near to the window's edge the page scrolls along, and how fast, in pixels. */
const EDGE = 60;
const SPEED = 9;

export function draggable(root: HTMLElement, drag: Drag): void {
  root.addEventListener('pointerdown', down => {
    if (down.button !== 0 || !down.isPrimary || !drag.allowed() || !(down.target instanceof Element)) return;
    const target = down.target;
    const item = target.closest(drag.item);
    if (!(item instanceof HTMLElement) || target.closest('button') !== null) return;
    if (down.pointerType === 'touch' && target.closest(drag.handle) === null) return;
    if (target.closest(drag.handle) !== null) down.preventDefault(); // no selection of text
    hold(item, down, drag);
  });
}

function hold(item: HTMLElement, down: PointerEvent, drag: Drag): void {
  const stop = new AbortController();
  const {signal} = stop;
  const mark = document.createElement('li');
  mark.className = 'drop-mark';
  mark.setAttribute('aria-hidden', 'true');
  let moving = false;
  let at = {x: down.clientX, y: down.clientY};
  const from = {x: down.clientX, y: down.clientY + window.scrollY};
  let over: {list: HTMLElement; before: HTMLElement | null} | null = null;
  let frame = 0;

  const follow = (): void => {
    item.style.transform = `translate(${at.x - from.x}px, ${at.y + window.scrollY - from.y}px)`;
    over = place(at, item, drag);
    if (over === null) mark.remove();
    else if (mark.parentElement !== over.list || mark.nextElementSibling !== over.before)
      over.list.insertBefore(mark, over.before);
  };
  const scroll = (): void => {
    const by = at.y < EDGE ? -SPEED : at.y > window.innerHeight - EDGE ? SPEED : 0;
    if (by !== 0) {
      window.scrollBy({top: by, behavior: 'instant'});
      follow();
    }
    frame = requestAnimationFrame(scroll);
  };
  const end = (): void => {
    stop.abort();
    cancelAnimationFrame(frame);
    mark.remove();
    item.classList.remove('dragged');
    item.style.transform = '';
    document.documentElement.classList.remove('dragging');
  };

  item.setPointerCapture(down.pointerId);
  item.addEventListener(
    'pointermove',
    e => {
      if (e.pointerId !== down.pointerId) return;
      at = {x: e.clientX, y: e.clientY};
      if (!moving) {
        if (Math.hypot(at.x - down.clientX, at.y - down.clientY) < SLACK) return;
        moving = true;
        getSelection()?.removeAllRanges();
        item.classList.add('dragged');
        document.documentElement.classList.add('dragging');
        frame = requestAnimationFrame(scroll);
      }
      follow();
    },
    {signal},
  );
  item.addEventListener(
    'pointerup',
    e => {
      if (e.pointerId !== down.pointerId) return;
      const target = over;
      end();
      if (moving && target !== null) drag.drop(item, target.list, target.before);
    },
    {signal},
  );
  item.addEventListener('pointercancel', end, {signal});
  window.addEventListener(
    'keydown',
    e => {
      if (e.key === 'Escape') end();
    },
    {signal},
  );
}

/** The list under a point, and the item before which the point lies. */
function place(
  at: {x: number; y: number},
  item: HTMLElement,
  drag: Drag,
): {list: HTMLElement; before: HTMLElement | null} | null {
  for (const list of drag.lists) {
    const box = list.getBoundingClientRect();
    if (at.x < box.left || at.x > box.right || at.y < box.top || at.y > box.bottom) continue;
    for (const other of list.querySelectorAll(`:scope > ${drag.item}`)) {
      if (other === item || !(other instanceof HTMLElement)) continue;
      const its = other.getBoundingClientRect();
      if (at.y < its.top + its.height / 2) return {list, before: other};
    }
    return {list, before: null};
  }
  return null;
}
