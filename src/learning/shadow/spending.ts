import type { BackgroundAnswer } from "../../inference/ports.ts";
import type { ShadowRecord } from "./ports.ts";

/** The tokens of some calls, and what they cost. */
export class Spending {
  #inputTokens = 0;
  #outputTokens = 0;
  #costNanos: number | null = null;

  /** The cost is null while no call had a price. */
  get totals(): Pick<ShadowRecord, "inputTokens" | "outputTokens" | "costNanos"> {
    return { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, costNanos: this.#costNanos };
  }

  add({ usage, costNanos }: BackgroundAnswer): void {
    this.#inputTokens += usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    this.#outputTokens += usage.outputTokens;
    if (costNanos !== undefined) this.#costNanos = (this.#costNanos ?? 0) + costNanos;
  }
}
