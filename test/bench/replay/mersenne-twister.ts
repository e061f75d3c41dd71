const LENGTH = 624;
const OFFSET = 397;

/**
 * The generator MT19937 of Matsumoto and Nishimura, seeded as `numpy.random.RandomState(seed)` is, and its permutation:
 * who has numpy can make the same streams.
 */
export class MersenneTwister {
  readonly #key = new Uint32Array(LENGTH);
  #at = LENGTH;

  constructor(seed: number) {
    let word = seed >>> 0;
    for (let index = 0; index < LENGTH; index++) {
      this.#key[index] = word;
      word = (Math.imul(1812433253, word ^ (word >>> 30)) + index + 1) >>> 0;
    }
  }

  /** Returns 32 bits as a whole number from 0. */
  bits(): number {
    if (this.#at === LENGTH) this.#twist();
    let word = this.#key[this.#at++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** Returns a whole number from 0 to `most`, both included. */
  upTo(most: number): number {
    if (most === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(most);
    for (;;) {
      const value = (this.bits() & mask) >>> 0;
      if (value <= most) return value;
    }
  }

  /** Returns a number from 0 to below 1, of 53 bits. */
  uniform(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** Shuffles in place, as numpy's `permutation` does to its copy. */
  shuffle(values: Int32Array): Int32Array {
    for (let last = values.length - 1; last > 0; last--) {
      const other = this.upTo(last);
      const value = values[last] ?? 0;
      values[last] = values[other] ?? 0;
      values[other] = value;
    }
    return values;
  }

  #twist(): void {
    const key = this.#key;
    for (let index = 0; index < LENGTH; index++) {
      const word = ((key[index] ?? 0) & 0x80000000) | ((key[(index + 1) % LENGTH] ?? 0) & 0x7fffffff);
      const twisted = (key[(index + OFFSET) % LENGTH] ?? 0) ^ (word >>> 1);
      key[index] = word & 1 ? twisted ^ 0x9908b0df : twisted;
    }
    this.#at = 0;
  }
}

/** The whole numbers from 0 to below `length`, shuffled by a seed. */
export function permutation(length: number, seed: number): Int32Array {
  return new MersenneTwister(seed).shuffle(Int32Array.from({ length }, (_, index) => index));
}
