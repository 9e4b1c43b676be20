// The machine's clock and what is to happen on it.

/** A thing that will happen; `cancelled` ones are passed over. */
export interface Happening {
  readonly time: number;
  readonly order: number;
  run: () => void;
  cancelled: boolean;
}

/**
 * A queue of happenings by virtual time, in nanoseconds. What is due at one
 * instant happens in the order in which it was asked for.
 */
export class Queue {
  now = 0;
  private heap: Happening[] = [];
  private asked = 0;

  at(time: number, run: () => void): Happening {
    const h: Happening = {time: Math.max(time, this.now), order: this.asked++, run, cancelled: false};
    this.heap.push(h);
    this.up(this.heap.length - 1);
    return h;
  }

  /** Takes out the next happening and moves the clock to it. */
  next(): Happening | null {
    for (;;) {
      const h = this.pop();
      if (h === null) return null;
      if (h.cancelled) continue;
      this.now = Math.max(this.now, h.time);
      return h;
    }
  }

  /** When the next happening is due. */
  peek(): number | null {
    while (this.heap[0]?.cancelled) this.pop();
    return this.heap[0]?.time ?? null;
  }

  private pop(): Happening | null {
    const first = this.heap[0];
    if (first === undefined) return null;
    const last = this.heap.pop()!;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.down(0);
    }
    return first;
  }

  private before(i: number, j: number): boolean {
    const a = this.heap[i]!;
    const b = this.heap[j]!;
    return a.time !== b.time ? a.time < b.time : a.order < b.order;
  }

  private swap(i: number, j: number): void {
    const a = this.heap[i]!;
    this.heap[i] = this.heap[j]!;
    this.heap[j] = a;
  }

  private up(i: number): void {
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.before(i, parent)) return;
      this.swap(i, parent);
      i = parent;
    }
  }

  private down(i: number): void {
    for (;;) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.heap.length && this.before(child, least)) least = child;
      }
      if (least === i) return;
      this.swap(i, least);
      i = least;
    }
  }
}
