import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { responsesCodec } from "../../src/formats/responses/codec.ts";
import type { DialectCodec } from "../../src/formats/shared/codec.ts";
import { ErrorReason, InferenceError, type InferenceErrorFacts } from "../../src/hub/error.ts";
import { answerEvents } from "../../test/formats/chat/request/answer.ts";
import { bodyOf, type Format } from "../../test/support/sdk-calls.ts";

/** A failure as Attune tells it. */
interface Failure {
  /** The heading of its column. */
  readonly name: string;
  readonly reason: ErrorReason;
  readonly facts?: InferenceErrorFacts;
  /** True if the answer has begun before it fails. */
  readonly isStream?: boolean;
}

/** The failures that each client is answered with, in the order of the columns. */
export const FAILURES: readonly Failure[] = [
  { name: "400", reason: ErrorReason.INVALID_REQUEST },
  { name: "401", reason: ErrorReason.UNAUTHENTICATED },
  { name: "402", reason: ErrorReason.QUOTA_EXCEEDED, facts: { upstreamStatus: 402 } },
  { name: "403", reason: ErrorReason.PERMISSION_DENIED },
  { name: "404", reason: ErrorReason.MODEL_NOT_FOUND },
  { name: "409", reason: ErrorReason.ANSWER_NOT_KEPT },
  { name: "413", reason: ErrorReason.REQUEST_TOO_LARGE },
  { name: "422", reason: ErrorReason.IDEMPOTENCY_KEY_REUSED },
  { name: "429, money", reason: ErrorReason.QUOTA_EXCEEDED },
  { name: "429, 2 s", reason: ErrorReason.RATE_LIMITED, facts: { retryAfterMs: 2000 } },
  { name: "429, 61 s", reason: ErrorReason.RATE_LIMITED, facts: { retryAfterMs: 61_000 } },
  { name: "500", reason: ErrorReason.INTERNAL },
  { name: "502", reason: ErrorReason.UPSTREAM_ERROR },
  { name: "503", reason: ErrorReason.UPSTREAM_OVERLOADED },
  { name: "529", reason: ErrorReason.UPSTREAM_OVERLOADED, facts: { upstreamStatus: 529 } },
  { name: "in a stream", reason: ErrorReason.STREAM_INTERRUPTED, isStream: true },
];

/** The column of a stream with an event that no client knows. */
export const UNKNOWN_EVENT = "unknown event";

/** The columns, by the names that scripts are given. */
export const COLUMNS: readonly string[] = [...FAILURES.map(({ name }) => name), UNKNOWN_EVENT];

/** Returns whether the answers of a column are streams. */
export function isStream(column: string): boolean {
  return column === UNKNOWN_EVENT || FAILURES.some(({ name, isStream }) => name === column && isStream === true);
}

/** An answer of the recording server. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const CODECS: Record<Format, DialectCodec> = { chat: chatCodec, responses: responsesCodec, messages: messagesCodec };

/** Returns what Attune answers a call of a format with: the headers are those of `sendFailure()`. */
export function answerOf(column: string, format: Format): RecordedAnswer {
  const failure = FAILURES.find(({ name }) => name === column);
  if (failure === undefined) return stream(withUnknownEvent(streamed(format, undefined)));
  const error = new InferenceError(failure.reason, "this is a test of what clients do", failure.facts);
  if (failure.isStream === true) return stream(streamed(format, error));
  const { status, body } = CODECS[format].encodeError(error, "test");
  const { retryAfterMs } = error.facts;
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "x-should-retry": String(error.shouldRetry),
    ...(retryAfterMs !== undefined && {
      "retry-after": String(retryAfterMs / 1000),
      "retry-after-ms": String(retryAfterMs),
    }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

function stream(body: string): RecordedAnswer {
  return { status: 200, headers: { "content-type": "text/event-stream" }, body };
}

/** A stream of one text; with an error it ends behind the first words. */
function streamed(format: Format, error: InferenceError | undefined): string {
  const codec = CODECS[format];
  const encoder = codec.createEventEncoder(codec.decodeRequest({ ...bodyOf(format, "attune/m"), stream: true }));
  const events = answerEvents(
    [{ start: { kind: { case: "text", value: { text: "" } } }, deltas: [{ case: "text", value: "Good day." }] }],
    { reason: FinishReason.STOP, usage: { inputTokens: 5, outputTokens: 3 } },
  );
  const begun: readonly GenerateEvent[] = error === undefined ? events : events.slice(0, -2);
  return encoder.encode(begun) + (error === undefined ? "" : encoder.fail(error, "test"));
}

/** Puts an event of a new type behind the first one. */
function withUnknownEvent(text: string): string {
  const end = text.indexOf("\n\n") + 2;
  const type = "attune.future_event";
  return `${text.slice(0, end)}event: ${type}\ndata: {"type":"${type}","sequence_number":1,"object":"${type}"}\n\n${text.slice(end)}`;
}
