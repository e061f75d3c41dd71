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

  add({ response, costNanos }: BackgroundAnswer): void {
    const { usage } = response.finished ?? {};
    this.#inputTokens += (usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
    this.#outputTokens += usage?.outputTokens ?? 0;
    if (costNanos !== undefined) this.#costNanos = (this.#costNanos ?? 0) + costNanos;
  }
}
