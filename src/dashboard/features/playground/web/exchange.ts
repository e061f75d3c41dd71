import type { FormatName } from "./draft.ts";
import { type Answer, NO_ANSWER } from "./formats/answer.ts";
import type { JsonObject } from "./formats/json.ts";

/** The request that the playground sends. */
export interface PlaygroundRequest {
  readonly projectId: string;
  readonly format: FormatName;
  readonly workload: string;
  readonly body: JsonObject;
  /** The body as it is sent, where it has numbers that JavaScript cannot hold; absent: `body` as JSON. */
  readonly text?: string;
  /** Headers beside those of every call; none if absent. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call and what has come of it. */
export interface Exchange {
  readonly request: PlaygroundRequest;
  readonly state: "running" | "done" | "stopped" | "failed";
  /** HTTP status; undefined until there is one. */
  readonly status: number | undefined;
  /** Headers of the answer that tell of it. */
  readonly headers: readonly (readonly [string, string])[];
  /** The answer as it came. */
  readonly raw: string;
  readonly answer: Answer;
  /** Name of the upstream; empty until it is known. */
  readonly servedBy: string;
}

/** Returns a call of which nothing has come. */
export function newExchange(request: PlaygroundRequest): Exchange {
  return { request, state: "running", status: undefined, headers: [], raw: "", answer: NO_ANSWER, servedBy: "" };
}
