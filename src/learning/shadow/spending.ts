import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../../inference/ports.ts";
import type { ShadowModels, ShadowRecord } from "./ports.ts";

/** The tokens of some calls, and what they cost. */
export class Spending {
  #inputTokens = 0;
  #outputTokens = 0;
  #costNanos: number | null = null;

  /** The cost is null while no call had a price. */
  get totals(): Pick<ShadowRecord, "inputTokens" | "outputTokens" | "costNanos"> {
    return { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, costNanos: this.#costNanos };
  }

  /** Adds a call that failed, with what had come of its answer. */
  addFailed(thrown: unknown, planned: PlannedAttempt, { price }: Pick<ShadowModels, "price">): void {
    const { usage } = InferenceError.from(thrown).facts;
    if (usage === undefined) return;
    const costNanos = price(planned, { input: getInput(usage), output: usage.outputTokens });
    this.add({ usage, costNanos: costNanos === 0 ? undefined : costNanos });
  }

  add({ usage, costNanos }: Pick<BackgroundAnswer, "usage" | "costNanos">): void {
    this.#inputTokens += getInput(usage);
    this.#outputTokens += usage.outputTokens;
    if (costNanos !== undefined) this.#costNanos = (this.#costNanos ?? 0) + costNanos;
  }
}

function getInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
