/** Limits calls of upstreams beyond one for each inference, so that trouble does not become a storm. */
export class CallBudget {
  readonly #share: number;
  readonly #reserve: number;
  #calls: number;

  /**
   * `share` is how many further calls each inference allows for, such as 0.1; `reserve` how many may be saved up, and
   * `calls` how many may be made before any inference has begun.
   */
  constructor(share: number, { reserve, calls }: { readonly reserve: number; readonly calls: number }) {
    this.#share = share;
    this.#reserve = reserve;
    this.#calls = share === 0 ? 0 : calls;
  }

  /** An inference has begun. */
  deposit(): void {
    this.#calls = Math.min(this.#calls + this.#share, this.#reserve);
  }

  /** Takes a further call, if one is left. */
  take(): boolean {
    if (this.#calls < 1) return false;
    this.#calls -= 1;
    return true;
  }
}
