import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The keys that a request shares with others that one answer may serve. */
export interface Coalescing {
  /** With those that come while it is answered; undefined where each is answered by a call of its own. */
  readonly sharedKey: string | undefined;
  /** With those that were answered before; undefined where no answer is given again. */
  readonly kept: { readonly key: string; readonly ttlMs: number } | undefined;
}

/** The query of the response cache. */
export interface ResponseCacheQuery {
  /** The key of identical requests. */
  readonly key: string;
  readonly projectId: string;
  /** Milliseconds since 1970: what was asked before is too old. */
  readonly sinceMs: number;
}

/** Answers that were kept whole. */
export interface ResponseCacheStore {
  /** Finds the latest one; undefined if there is none. */
  find(query: ResponseCacheQuery): Promise<GenerateResponse | undefined>;
}

/** The context that requests share which one answer may serve, beside what they ask. */
export interface CoalescingContext {
  readonly projectId: string;
  readonly streamed: boolean;
}
