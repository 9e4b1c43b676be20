/**
 * A small generator of random numbers (sfc32): the same seed gives the same
 * numbers everywhere. It is no source of secrets.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private count = 1;

  constructor(seed: number, stream: number) {
    this.a = seed >>> 0;
    this.b = Math.floor(seed / 0x100000000) >>> 0;
    this.c = stream >>> 0;
    for (let i = 0; i < 15; i++) this.word();
  }

  /** 32 random bits. */
  word(): number {
    const t = (((this.a + this.b) | 0) + this.count) | 0;
    this.count = (this.count + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }

  /** A whole number from 0 to n-1. */
  below(n: number): number {
    return Math.floor((this.word() / 0x100000000) * n);
  }

  fill(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.word() >>> 24;
  }
}
