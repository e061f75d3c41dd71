/** Calls that may be made at once beyond the share: a process with little to do has to be able to move on as well. */
const RESERVE = 100;

/** Limits calls of upstreams beyond one for each inference, so that trouble does not become a storm. */
export class CallBudget {
  readonly #share: number;
  readonly #reserve: number;
  #calls: number;

  /** `share` is how many further calls each inference allows for, such as 0.1; `reserve` how many may be saved up. */
  constructor(share: number, reserve = RESERVE) {
    this.#share = share;
    this.#reserve = reserve;
    this.#calls = share === 0 ? 0 : reserve;
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
