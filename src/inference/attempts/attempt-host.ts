import type { ContentBlock, Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import type { Finished, GenerateEvent, Saving, Serving } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { AttemptQuota, FirstToken, PricedPlace } from "../ports.ts";
import type { AttemptProgress } from "./attempt-progress.ts";
import type { RunFacts } from "./run-facts.ts";

/** The inference, as an attempt needs it. */
export interface AttemptHost extends Pick<RunFacts, "id" | "principal" | "input" | "prompt" | "plan" | "streamed"> {
  readonly startedAt: Date;
  /** Choices that each call of an upstream asks for. */
  readonly choicesPerCall: number;
  /** As performance.now() has it. */
  readonly startMs: number;
  /** True if the end of the answer has been added. */
  readonly finished: boolean;
  /**
   * Reserves what an attempt may take of the caller's limits; undefined where nothing limits it. Throws, or rejects
   * with, what a caller is refused with.
   */
  reserve(place: PricedPlace): AttemptQuota | Promise<AttemptQuota> | undefined;
  /** Returns the headers that tell the attempt's upstream of its trace; undefined where it is not told. */
  traceHeaders(attempt: AttemptProgress): Readonly<Record<string, string>> | undefined;
  /** The attempt's answer is one that the caller gets; returns its position among those. */
  won(attempt: AttemptProgress): number;
  /** The first token of the attempt's answer has come. */
  answered(answer: FirstToken, attempt: AttemptProgress): void;
  /** The attempt has ended. */
  ended(attempt: AttemptProgress): void;
  /** Adds an event of the answer. */
  add(event: GenerateEvent): void;
  /** Returns who serves the inference; `reported` is the upstream's own report. */
  serving(reported: Serving | undefined): Serving;
  /** Returns what a call has said whose first choice has this position, as far as it has been added. */
  contentFrom(choice: number): readonly ContentBlock[];
  /** Returns the parts of a choice that the caller's format cannot carry. */
  choiceLosses(choice: number, finished: Finished): string[];
  /** Returns the savings with this usage, against a plain call of the base model. */
  savings(usage: Usage | undefined): Saving[];
  /** Returns the parts of the answer that the caller's format cannot carry; its end was not added yet. */
  answerLosses(finished: Finished): string[];
}
