import { setTimeout as delay } from "node:timers/promises";
import { type Agent, request } from "undici";
import type { Ledger } from "../chaos/load.ts";

/** Tokens of an answer at most, so that one call takes little of a budget. */
const MAX_TOKENS = 40;

/** Refusals in a row after which a budget counts as spent. */
const ENOUGH = 100;
const PAUSE_MS = 100;
/** A replica that has just begun may ask to come again. */
const AGAIN_MS = 1000;

export interface SpenderOptions {
  readonly key: string;
  readonly agent: Agent;
  readonly ledger: Ledger;
  /** The end user whose budget it is. */
  readonly user: string;
  /** Returns the address for the next call. */
  readonly next: () => string;
}

/** Calls of one end user, one after another. */
export class Spender {
  readonly #options: SpenderOptions;
  answers = 0;
  refusals = 0;
  #refusedInRow = 0;

  constructor(options: SpenderOptions) {
    this.#options = options;
  }

  /** True once the budget was said to be spent so often that it is. */
  get isSpent(): boolean {
    return this.#refusedInRow >= ENOUGH;
  }

  /** Calls until `isOver`, with a pause between two calls, and none of less than 100 ms after a refusal. */
  async spend(isOver: () => boolean, pauseMs = 0): Promise<void> {
    while (!isOver()) {
      const status = await this.#call().catch((error: Error) => error.message);
      if (status === 200) this.#refusedInRow = 0;
      else if (status === 429) this.#refusedInRow += 1;
      else if (status !== 503) this.#options.ledger.failures.push(`${this.#options.user}: ${status}`);
      if (status !== 200) await delay(status === 503 ? AGAIN_MS : PAUSE_MS);
      await delay(pauseMs);
    }
  }

  async #call(): Promise<number> {
    const { key, agent, ledger, user, next } = this.#options;
    ledger.sent += 1;
    const { statusCode, body } = await request(`${next()}/v1/chat/completions`, {
      method: "POST",
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "attune/gpt-6-astra",
        user,
        max_tokens: MAX_TOKENS,
        messages: [{ role: "user", content: "Spend what there is." }],
      }),
    });
    const text = await body.text();
    if (statusCode === 200) {
      ledger.inferences.push((JSON.parse(text) as { id: string }).id);
      this.answers += 1;
    } else if (statusCode === 429) this.refusals += 1;
    else if (statusCode !== 503) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`);
    return statusCode;
  }
}
