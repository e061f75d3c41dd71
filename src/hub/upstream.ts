import type { ContentBlock, Dialect, RawJson } from "../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel, Deployment } from "../catalog/model.ts";
import type { HubInput } from "./input.ts";

export { UNKNOWN_TOKENS } from "../catalog/model.ts";

/**
 * Takes a batch of events, which nobody changes any more. Where it returns a promise, its reader lags: no more is
 * handed on until that resolves.
 */
export type EventSink = (events: GenerateEvent[]) => void | Promise<void>;

/** One request to an upstream, translated and not yet sent. */
export interface UpstreamCall {
  /** Parts of the request that the upstream's format cannot carry, by their places in the hub's request. */
  readonly losses: readonly string[];
  /** Names of what makes the request other than the plain one; none if absent. */
  readonly optimizations?: readonly string[];
  /**
   * Sends the request and hands the answer on, one batch for each read; resolves at its end. The first event is
   * `started` with what the upstream says of itself (upstream_request_id, usage); the service fills in the rest. The
   * last is `finished`. Blocks come one after another, numbered from 0; of several choices each ends for itself. Throws
   * InferenceError, or what the sink throws; aborting the signal ends it with CANCELED.
   */
  send(sink: EventSink, signal: AbortSignal): Promise<void>;
}

/** The count of a prompt's tokens, translated and not yet asked for. */
export interface CountCall {
  /** Parts of the request that the upstream's format cannot carry, by their places in the hub's request. */
  readonly losses: readonly string[];
  /** Asks for the count. Throws InferenceError; aborting the signal ends it with CANCELED. */
  send(signal: AbortSignal): Promise<TokenCount>;
}

/** Estimates the tokens of a prompt, where no upstream counts them. Rejects with UNAVAILABLE where too many ask. */
export type EstimateTokens = (input: HubInput, projectId: string) => Promise<number>;

/** The size of a prompt, as an upstream counts it. */
export interface TokenCount {
  /** Tokens of the whole prompt, also of what a cache holds. */
  readonly inputTokens: number;
  /** Identifier that the upstream gave to the request; empty if none. */
  readonly upstreamRequestId: string;
  /** Headers of the answer that tell of the upstream's limits and its work, by lower-case name. */
  readonly upstreamHeaders?: Readonly<Record<string, string>>;
  /** Members of the answer that only its dialect knows (a JSON object). */
  readonly extension?: RawJson | undefined;
}

/** A service that runs models. */
export interface Upstream {
  /** Name in the configuration. */
  readonly name: string;
  /** The format that it speaks: opaque state that was not sealed here passes on within one; absent: it speaks none. */
  readonly dialect?: Dialect;
  /** True if its cache of prompts goes by marks, so that it can be told by `cachedParts` what to keep; absent: no. */
  readonly takesCacheMarks?: boolean;
  /** True if its cache of prompts takes a key, which is made up for callers who give none; absent: no. */
  readonly takesCacheKeys?: boolean;
  /** True if it has the tier `flex`, for models whose price has it; absent: no. */
  readonly takesFlexTier?: boolean;
  /** Most choices that one call may ask for; absent: one. */
  readonly mostChoices?: number;
  /** Translates `input` for the deployment. Throws INVALID_REQUEST for what must be refused by name. */
  prepare(input: HubInput, target: UpstreamTarget): UpstreamCall;
  /** Translates `input` to have its tokens counted; absent if the upstream does not count. Throws as prepare() does. */
  prepareCount?(input: HubInput, target: UpstreamTarget): CountCall;
  /**
   * Returns as one text all that would be sent for `input`, and how the answer would be read: whether callers of
   * different formats get the same answer. Absent if that cannot be told. Throws as prepare() does.
   */
  fingerprint?(input: HubInput, target: UpstreamTarget): string;
  /** True if it compacts conversations itself; one that does not is asked for a summary. */
  readonly compacts?: boolean;
  /** Its keys; absent where it has one at most. */
  readonly keys?: UpstreamKeys;
  /** Returns the number of calls that wait in its queue; absent: it has none. */
  readonly waiting?: () => number;
  /** Closes its connections. */
  close?(): Promise<void>;
}

/** The keys of an upstream, as this process knows them. */
export interface UpstreamKeys {
  report(): readonly UpstreamKeyReport[];
  /** Returns the part that the key with most room has left for a model of it, 0 to 1; undefined if none tells. */
  headroomOf(upstreamModel: string): number | undefined;
}

/** One of several keys of an upstream, without the key itself. */
export interface UpstreamKeyReport {
  /** Its place in the configuration: `apiKeys[1]`. */
  readonly name: string;
  /**
   * `resting`: a model's rate limit is used up, and others are asked first; `refused`: the upstream does not take the
   * key, or its account has no credit.
   */
  readonly state: "ready" | "resting" | "refused";
  /** Time in milliseconds for which it is in that state; 0 for one that is ready. */
  readonly forMs: number;
  readonly inFlight: number;
  /** The smallest part that is left of its rate limits, 0 to 1; undefined where it tells of none. */
  readonly headroom: number | undefined;
}

/** The target that a request is translated for. */
export interface UpstreamTarget {
  readonly model: CatalogModel;
  readonly deployment: Deployment;
  /** True if the caller wants the answer as a stream. */
  readonly streamed: boolean;
  /** Identifier of the inference. */
  readonly inferenceId: string;
  readonly projectId: string;
  /** Reasoning in the input's history that this deployment made itself; none if it is not given. */
  readonly ownReasoning?: ReadonlySet<ContentBlock>;
  /** The parts of the prompt that its cache should keep; absent: those that the caller marks. */
  readonly cachedParts?: CachedParts | undefined;
  /** Names prompts that begin alike for its cache, where the caller does not; absent: no key is made up. */
  readonly cacheKey?: string | undefined;
  /** A number that prompts have in common which begin alike, so that they go by one key; absent: any key will do. */
  readonly prefixKey?: number | undefined;
  /** Tier of service that is asked for, in place of the caller's; absent: as the caller asks. */
  readonly serviceTier?: string | undefined;
  /** Choices that the call asks for; absent: one. */
  readonly choices?: number;
  /** Headers that tell of the trace that the call belongs to; none if absent. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
  readonly onSent?: OnSent | undefined;
}

/**
 * Is told each time that a request goes out: from then on it may cost, whether or not anything comes back. Where it
 * goes out once more since its connection died, `lostMs` is how long that took: its server may have been at work.
 */
export type OnSent = (lostMs?: number) => void;

/** Parts of a prompt that are likely to come again while a cache holds them. */
export interface CachedParts {
  /** Tools and system prompt. */
  readonly prefix: boolean;
  readonly conversation: boolean;
}
