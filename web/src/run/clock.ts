// A run's clock as the page can know it. An event's time is told by the
// server's clock since the run began, and it comes a little later than it
// happened. The smallest delay seen is taken for the way itself.

export class RunClock {
  readonly #now: () => number;
  #offset: number | undefined;

  /** now is a clock of the page in ms that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** An event that happened at (ms since the run began) has just come. */
  heard(at: number): void {
    const offset = this.#now() - at;
    if (this.#offset === undefined || offset < this.#offset) this.#offset = offset;
  }

  /** ms since the run began; 0 before the first event. */
  read(): number {
    return this.#offset === undefined ? 0 : this.#now() - this.#offset;
  }
}
