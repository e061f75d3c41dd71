import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { findServerFacts } from "../../../../src/catalog/server-facts.ts";
import { openaiChatProtocol } from "../../../../src/formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../../../../src/formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../../../../src/formats/responses/protocol.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";

const PROTOCOLS = [openaiChatProtocol, openaiResponsesProtocol, anthropicMessagesProtocol];
const PLACES = ["whole", "data alone", "event: error"] as const;

const { CONTENT_FILTERED, MODEL_NOT_FOUND, QUOTA_EXCEEDED, RATE_LIMITED } = ErrorReason;
const { UPSTREAM_ERROR, UPSTREAM_OVERLOADED, UPSTREAM_UNAUTHENTICATED } = ErrorReason;

/** Errors inside 200, as servers and gateways send them. */
const ERRORS: readonly (readonly [object, ErrorReason, string])[] = [
  [{ error: { message: "no", type: "overloaded_error" } }, UPSTREAM_OVERLOADED, "no"],
  [{ error: "model runner has stopped" }, UPSTREAM_ERROR, "model runner has stopped"],
  [{ error: "Model is overloaded", error_type: "overloaded" }, UPSTREAM_OVERLOADED, "Model is overloaded"],
  [{ errors: [{ code: 3040, message: "out of capacity" }], success: false }, UPSTREAM_OVERLOADED, "out of capacity"],
  [{ detail: "broken" }, UPSTREAM_ERROR, "broken"],
  [{ exception: "broken" }, UPSTREAM_ERROR, "broken"],
  [{ err: { message: "broken" } }, UPSTREAM_ERROR, "broken"],
  [{ fault: { faultstring: "broken" } }, UPSTREAM_ERROR, "broken"],
  [{ message: "busy", type: "overloaded_error" }, UPSTREAM_OVERLOADED, "busy"],
  [{ message: "broken pipe", id: "x" }, UPSTREAM_ERROR, "broken pipe"],
  [{ object: "error", message: "crashed", type: "InternalServerError", code: 500 }, UPSTREAM_ERROR, "crashed"],
  [{ error_code: "REQUEST_LIMIT_EXCEEDED", message: "slow" }, RATE_LIMITED, "slow"],
  [{ error_code: 336501, error_msg: "RPM" }, UPSTREAM_ERROR, "RPM"],
  [
    { base_resp: { status_code: 1008, status_msg: "balance" } },
    QUOTA_EXCEEDED,
    "this service's own account at the upstream is used up: balance",
  ],
  [
    { code: "InvalidApiKey", message: "no" },
    UPSTREAM_UNAUTHENTICATED,
    "the upstream refused this service's own credentials",
  ],
  [{ code: 20012, message: "Model does not exist", data: null }, MODEL_NOT_FOUND, "Model does not exist"],
  [
    { type: "error", error: { type: "x", message: "input new_sensitive (1026)" } },
    CONTENT_FILTERED,
    "input new_sensitive (1026)",
  ],
  [{ error: { code: 503, message: "late", status: "UNAVAILABLE" } }, UPSTREAM_OVERLOADED, "late"],
  [
    {
      error: {
        code: 502,
        message: "Provider returned error",
        metadata: { raw: '{"error":{"message":"slow","code":429}}' },
      },
    },
    RATE_LIMITED,
    "slow",
  ],
];

describe("an error inside 200", () => {
  const cases = PROTOCOLS.flatMap((protocol) =>
    PLACES.flatMap((place) => ERRORS.map(([body, reason, message]) => ({ protocol, place, body, reason, message }))),
  );

  it.each(cases)("is read by $protocol.path as $place: $body", ({ protocol, place, body, reason, message }) => {
    const decoder = protocol.createEventDecoder(Dialect.CHAT, { profile: findServerFacts("unknown", "chat") });
    const data = JSON.stringify(body);
    const event = place === "event: error" ? "error" : undefined;
    const read = () => (place === "whole" ? decoder.decodeWhole(data) : decoder.decode({ event, data }));
    expect(read).toThrow(expect.objectContaining({ reason, message }));
  });

  it("is none where an answer has words of its own, or an event is new", () => {
    const chat = openaiChatProtocol.createEventDecoder(Dialect.CHAT, { profile: findServerFacts("unknown", "chat") });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }];
    chat.decode({ event: undefined, data: JSON.stringify({ choices, message: "fine", code: 0, detail: "none" }) });
    chat.decode({ event: undefined, data: JSON.stringify({ choices: [], usage, detail: "none" }) });
    const messages = anthropicMessagesProtocol.createEventDecoder(Dialect.CHAT, {});
    expect(messages.decode({ event: "notice", data: '{"type":"notice","message":"hi"}' })).toEqual([]);
  });
});
