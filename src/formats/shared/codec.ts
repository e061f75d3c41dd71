import type { IncomingHttpHeaders } from "node:http";
import type { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type {
  CountTokensResponse,
  GenerateEvent,
  GenerateResponse,
  StoredInference,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { FormatFieldPath } from "./format-field-path.ts";
import type { JsonObject } from "./json.ts";

/** A request of a public format, decoded. */
export interface DecodedRequest {
  readonly input: HubInput;
  /** True if the client wants a stream. */
  readonly stream: boolean;
  /** True if the client leaves, and comes back for the answer. */
  readonly background?: boolean;
  /** The body as it came, for the formats whose answers repeat parts of it. */
  readonly body: JsonObject;
}

/** An HTTP answer. */
export interface EncodedError {
  readonly status: number;
  readonly body: JsonObject;
}

/** Writes one answer as server-sent events. Made for one stream; it counts what it has written. */
export interface EventEncoder {
  /** Encodes a batch as whole SSE frames; may be empty. On `finished` it writes all that ends the stream. */
  encode(events: readonly GenerateEvent[]): string;
  /** Ends a stream that failed after it began, in the format's own way. `requestId` is what the headers carry too. */
  fail(error: InferenceError, requestId: string): string;
  /** A frame that says only that the stream is alive. */
  heartbeat(): string;
}

/** Reads a stored inference of the caller's project; undefined if there is none of that id. */
export type ReadStored = (inferenceId: string) => Promise<StoredInference | undefined>;

/** The codec of a request to count tokens. */
interface CountCodec {
  /** Decodes a request as that of a generation, without what bears on the answer alone. Throws WireError. */
  decodeRequest(body: JsonObject, headers: IncomingHttpHeaders): HubInput;
  encodeResponse(response: CountTokensResponse): object;
}

/** One public JSON format. */
export interface DialectCodec {
  readonly dialect: Dialect;
  /** Throws WireError for a body that does not have the format's form; the headers may name a version of it. */
  decodeRequest(body: JsonObject, headers?: IncomingHttpHeaders): DecodedRequest;
  /**
   * Puts what is stored in the place of references to it; absent if the format has none. Undefined if there are none in
   * this request. Rejects with NOT_FOUND for what is not stored.
   */
  resolveReferences?(input: HubInput, read: ReadStored): Promise<void> | undefined;
  /**
   * Returns the members of a request's body that its answers repeat, undefined if none; absent where answers repeat
   * nothing.
   */
  echo?(body: JsonObject): JsonObject | undefined;
  /** Returns the JSON text of a whole answer; of the body only what `echo` returns is looked at. */
  encodeResponse(response: GenerateResponse, request: Pick<DecodedRequest, "body">): string;
  createEventEncoder(request: DecodedRequest): EventEncoder;
  /** Absent if the format does not ask for counts. */
  readonly count?: CountCodec;
  /** Encodes a failure that came before the first byte. `requestId` is what the answer's headers carry too. */
  encodeError(error: InferenceError, requestId: string): EncodedError;
  /** Spells a place of `input`, as the hub's losses and errors name it, as the client wrote it. */
  readonly formatFieldPath: FormatFieldPath;
}

/** A format that asks for the size of a prompt. */
export type CountingCodec = DialectCodec & Required<Pick<DialectCodec, "count">>;
