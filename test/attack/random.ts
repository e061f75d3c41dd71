/** Numbers that look random and are the same for the same seed: of a seed, an area and a number of an input. */
export class Random {
  #state: number;

  constructor(seed: number, area = "", number = 0) {
    let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35);
    for (const character of area) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
    this.#state = state >>> 0;
    // Neighbouring seeds begin alike; a few steps part them.
    for (let step = 0; step < 4; step++) this.next();
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Tells whether something that happens once in `times` happens now. */
  oneIn(times: number): boolean {
    return this.next() * times < 1;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined && choices.length === 0) throw new Error("there is nothing to pick from");
    return choice as T;
  }

  /** Returns random bytes. */
  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at++) bytes[at] = this.integer(0, 255);
    return bytes;
  }
}
