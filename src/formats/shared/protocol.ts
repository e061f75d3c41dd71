import type { Dialect, RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ServerFacts } from "../../catalog/facts.ts";
import type { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { UpstreamTarget } from "../../hub/upstream.ts";
import type { JsonObject } from "./json.ts";
import type { Losses } from "./losses.ts";
import type { Terms } from "./read-terms.ts";
import type { SseMessage } from "./sse.ts";

/** The facts of an upstream's server; facts that are absent are those of a server that is not known. */
export type KnownFacts = Partial<ServerFacts> | undefined;

/** The target of a translation, and what its upstream is known to take. */
export interface EncodeTarget extends UpstreamTarget {
  readonly profile?: KnownFacts;
}

/** The facts that an answer is read by. */
export interface AnswerContext {
  readonly profile?: KnownFacts;
  /** Number of choices that were asked for, where the format takes several; absent: one. */
  readonly choices?: number | undefined;
  /** The output limit that was sent. */
  readonly maxOutputTokens?: number | undefined;
  /** The terms that were asked for, beyond the standard ones. */
  readonly terms?: Terms | undefined;
  /** True if the request switched thinking off. */
  readonly isThinkingOff?: boolean | undefined;
}

/** A request in an upstream's format. */
export interface EncodedRequest {
  /** As it is written as JSON: a member that is undefined is left out. */
  readonly body: JsonObject;
  /** Headers beyond those of every request, such as beta marks. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of the request that the format cannot carry, by their places in the hub's request. */
  readonly losses: Losses;
  /** Names of what makes the request other than the plain one; none if absent. */
  readonly optimizations?: readonly string[];
}

/** An error response of an upstream. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Reads one answer of an upstream, streamed or whole. Made for one answer; it keeps what is open. */
export interface EventDecoder {
  /** Returns the events that one SSE message means; the first one of all is `started`. Throws InferenceError. */
  decode(message: SseMessage): GenerateEvent[];
  /**
   * Called when a stream has ended: returns what is still to say. Throws STREAM_INTERRUPTED without a terminal event.
   */
  close(): GenerateEvent[];
  /**
   * Returns all events of an answer that came whole, `started` to `finished`; called once, and in place of the others.
   * Throws InferenceError: STREAM_INTERRUPTED for what is not a complete answer of the format.
   */
  decodeWhole(body: string): GenerateEvent[];
}

/** The size of a prompt, as an upstream tells it. */
export interface DecodedCount {
  readonly inputTokens: number;
  /** Members of the answer that only its format knows. */
  readonly extension?: RawJson | undefined;
}

/** The protocol of counting tokens. */
export interface CountProtocol {
  /** Path below the base URL. */
  readonly path: string;
  /** Translates a request as that of a generation, without what bears on the answer alone. */
  encodeRequest(input: HubInput, target: EncodeTarget): EncodedRequest;
  /** Reads the body of an answer. Throws UPSTREAM_ERROR. */
  decodeCount(body: string): DecodedCount;
}

/** A format that upstreams speak. */
export interface UpstreamProtocol {
  readonly dialect: Dialect;
  /** Path below the base URL. */
  readonly path: string;
  /** Path of a generation, where it names the model; `path` if absent. */
  modelPath?(model: string, streamed: boolean): string;
  /** Response headers that may hold the upstream's identifier of the request, lower case. */
  readonly requestIdHeaders: readonly string[];
  /**
   * Response headers that tell of the upstream's limits and its work, for callers of the same format; lower case. One
   * that ends in a dash stands for all that begin with it.
   */
  readonly forwardedHeaders: readonly string[];
  /** Headers of every request. */
  headers(apiKey: string | undefined): Record<string, string>;
  /**
   * Translates a request for a whole answer or a stream, as `target` says. Throws INVALID_REQUEST for what must be
   * refused by name.
   */
  encodeRequest(input: HubInput, target: EncodeTarget): EncodedRequest;
  /**
   * `caller` is the format of the request: what another format says in its own way is put into the hub's form of it.
   */
  createEventDecoder(caller: Dialect, context?: AnswerContext): EventDecoder;
  /** True if one request may ask for several choices, as many as the profile of the upstream says. */
  readonly takesChoices?: boolean;
  /**
   * The caller's format that createEventDecoder() reads answers differently for; absent if it reads them alike for all.
   */
  readonly ownDialect?: Dialect;
  /**
   * True if the format's cache of prompts goes by marks, and requests are encoded with those that `cachedParts` calls
   * for.
   */
  readonly takesCacheMarks?: boolean;
  /** Absent if the format has no count. */
  readonly count?: CountProtocol;
  /** The protocol of compaction; absent if the format has none. */
  readonly compaction?: Pick<UpstreamProtocol, "path" | "encodeRequest" | "createEventDecoder">;
  /** The protocol of embeddings; absent if servers of the format make none. */
  readonly embeddings?: EmbeddingProtocol;
  /** Reads an answer whose status is not 2xx. The caller adds upstream, request id and retry-after. */
  decodeError(answer: ErrorAnswer, profile?: KnownFacts): InferenceError;
}

/** The protocol of embeddings. */
export type EmbeddingProtocol = Pick<UpstreamProtocol, "path" | "modelPath" | "encodeRequest" | "createEventDecoder">;
