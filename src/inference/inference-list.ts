import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { CallFacts } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceStatus } from "./records.ts";

/** A question for inferences that have ended; what is undefined matches any. */
interface InferenceListQuery {
  readonly projectId: string;
  readonly keyId: string | undefined;
  readonly sessionId: string | undefined;
  readonly endUserId: string | undefined;
  readonly tag: { readonly name: string; readonly value: string } | undefined;
  /** Without the prefix. */
  readonly model: string | undefined;
  readonly workload: string | undefined;
  readonly status: InferenceStatus | undefined;
  /** When they began; `to` is not part of it. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** Most of them, 1 to 500. */
  readonly limit: number;
  /** Id of the last one of the page before. */
  readonly after: string | undefined;
}

/** An inference in a list. */
export interface ListedInference {
  readonly id: string;
  /** Models without the prefix. */
  readonly model: string;
  readonly servedModel: string;
  readonly status: InferenceStatus;
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly keyId: string;
  readonly workload: string;
  readonly facts: CallFacts | undefined;
  readonly usage: Usage | undefined;
  readonly costNanos: number | undefined;
  /** Parts that have no known price: it cost more than `costNanos`. */
  readonly costGaps: readonly string[];
  readonly errorReason: string;
}

/** A page of a list; `next` is the id to go on after, undefined at the end. */
interface ListedPage {
  readonly inferences: readonly ListedInference[];
  readonly next: string | undefined;
}

/** Lists inferences that have ended. Throws UNAVAILABLE where the database cannot say. */
export type ListInferences = (query: InferenceListQuery) => Promise<ListedPage>;
