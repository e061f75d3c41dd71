import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createEventDecoder as chat } from "../../../src/formats/chat/answer/decode-events.ts";
import { createEventDecoder as messages } from "../../../src/formats/messages/answer/decode-events.ts";
import { createEventDecoder as responses } from "../../../src/formats/responses/answer/decode-events.ts";
import { parseErrorBody, parseListedError } from "../../../src/formats/shared/parse-error-body.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

const LISTED = '[{"error":{"code":429,"type":"rate_limit_error","message":"Quota exceeded."}}]';

describe("parseErrorBody()", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[{"a":1}]', { a: 1 }],
    ["[]", undefined],
    ['[{"a":1},{"b":2}]', undefined],
    ["[1]", undefined],
    ["<html>", undefined],
  ])("reads %s", (text, body) => {
    expect(parseErrorBody(text)).toEqual(body);
  });
});

describe("parseListedError()", () => {
  it("reads nothing but errors in a list", () => {
    expect(parseListedError(LISTED)).toMatchObject({ error: { code: 429 } });
    expect(['{"error":{}}', '[{"choices":[]}]', "[{"].map(parseListedError)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["Chat", () => chat(Dialect.CHAT)],
    ["Responses", () => responses(Dialect.RESPONSES)],
    ["Messages", () => messages(Dialect.MESSAGES)],
  ])("has an error in a list read inside of answers of %s", (_name, create) => {
    const failure = { reason: ErrorReason.RATE_LIMITED, message: "Quota exceeded." };
    expect(() => create().decode({ event: undefined, data: LISTED })).toThrow(expect.objectContaining(failure));
    expect(() => create().decodeWhole(LISTED)).toThrow(expect.objectContaining(failure));
  });
});
