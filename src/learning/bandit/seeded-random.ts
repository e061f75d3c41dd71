/** A small generator of good quality (sfc32 by Chris Doty-Humphrey), which the same seed makes draw the same. */
export class SeededRandom {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(seed: number) {
    this.reseed(seed);
  }

  /** Starts anew. Only the lower 32 bits of the seed count. */
  reseed(seed: number): void {
    this.#a = 0;
    this.#b = 0x9e3779b9 | 0;
    this.#c = seed | 0;
    this.#counter = 1;
    for (let round = 0; round < 12; round++) this.bits();
  }

  /** Returns 32 bits as a signed whole number. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }

  /** Returns a number from 0 to below 1. */
  uniform(): number {
    return (this.bits() >>> 0) / 0x1_0000_0000;
  }

  /**
   * Returns a draw from the standard normal distribution (Box-Muller; its second draw is not kept, so that no state
   * hides here).
   */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }
}
