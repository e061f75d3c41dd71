import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import type {
  Finished,
  GenerateEvent,
  GenerateResponse,
  Saving,
  Serving,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { FirstToken } from "../ports.ts";
import type { AttemptProgress } from "./attempt-progress.ts";
import type { RunFacts } from "./run-facts.ts";

/** What an attempt needs of the inference that it is made for. */
export interface AttemptHost extends Pick<RunFacts, "id" | "principal" | "input" | "prompt" | "plan" | "streamed"> {
  readonly startedAt: Date;
  /** As performance.now() has it. */
  readonly startMs: number;
  /** Whether the end of the answer has been added. */
  readonly finished: boolean;
  /** The answer, as far as it has been added. */
  readonly response: GenerateResponse;
  /** The attempt's answer is the one that the caller gets. */
  won(attempt: AttemptProgress): void;
  /** The first token of the attempt's answer has come. */
  answered(answer: FirstToken, attempt: AttemptProgress): void;
  /** The attempt has ended. */
  ended(attempt: AttemptProgress): void;
  /** Adds an event of the answer. */
  add(event: GenerateEvent): void;
  /** Who serves the inference; `said` is what the upstream says of it. */
  serving(said: Serving | undefined): Serving;
  /** What was saved with so many tokens, against a plain call of the base model. */
  savings(usage: Usage | undefined): Saving[];
  /** What the caller's format cannot say of the answer, whose end was not added yet. */
  answerLosses(finished: Finished): string[];
}
