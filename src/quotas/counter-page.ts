/** Numbers of each counter, and its whole numbers below 2^32. */
export const NUMBERS = 9;
export const WHOLES = 5;

const ROWS = 1024;

/** The share of a window that was leased before it began. */
export interface NextWindow {
  readonly endMs: number;
  readonly leased: number;
  readonly ofOthers: number;
}

/** The numbers of 1,024 counters: 92 bytes for each, where an object with a field for each number takes some 400. */
export class CounterPage {
  readonly numbers = new Float64Array(ROWS * NUMBERS);
  readonly wholes = new Uint32Array(ROWS * WHOLES);
  /** The windows that begin soon, by row: few counters have one. */
  readonly next = new Map<number, NextWindow>();
  readonly #released: number[] = [];
  #begun = 0;

  get isFull(): boolean {
    return this.#begun === ROWS && this.#released.length === 0;
  }

  get isEmpty(): boolean {
    return this.#begun === this.#released.length;
  }

  /** Returns a row of zeros. */
  take(): number {
    const released = this.#released.pop();
    if (released !== undefined) return released;
    this.#begun += 1;
    return this.#begun - 1;
  }

  release(row: number): void {
    this.numbers.fill(0, row * NUMBERS, (row + 1) * NUMBERS);
    this.wholes.fill(0, row * WHOLES, (row + 1) * WHOLES);
    this.next.delete(row);
    this.#released.push(row);
  }
}

/** As many pages as the counters need. */
export class CounterPages {
  /** The pages that have rows left. */
  #open: CounterPage[] = [];

  /** Returns a row of zeros on one of the pages. */
  take(): { readonly page: CounterPage; readonly row: number } {
    const page = this.#open.at(-1) ?? new CounterPage();
    if (page.isEmpty && !this.#open.includes(page)) this.#open.push(page);
    const row = page.take();
    if (page.isFull) this.#open.pop();
    return { page, row };
  }

  /** Takes a row back; a page without counters is given up. */
  release(page: CounterPage, row: number): void {
    if (page.isFull) this.#open.push(page);
    page.release(row);
    if (page.isEmpty) this.#open = this.#open.filter((other) => other !== page);
  }
}
