import { describe, expect, it } from "vitest";
import { ownUpstreamHeaders } from "../../src/facade/upstream-headers.ts";

const OPENAI = { "x-ratelimit-limit-requests": "60", "openai-processing-ms": "12" };
const ANTHROPIC = { "anthropic-ratelimit-tokens-remaining": "5" };
const ALL = { ...OPENAI, ...ANTHROPIC, "set-cookie": "a=b" };
const PLAYGROUND = "/dashboard/api/playground/01919191-9191-7191-9191-919191919191";

describe("ownUpstreamHeaders()", () => {
  it.each([
    ["/v1/messages", ANTHROPIC],
    ["/v1/messages?beta=true", ANTHROPIC],
    ["/v1/messages/count_tokens", ANTHROPIC],
    [`${PLAYGROUND}/v1/messages`, ANTHROPIC],
    [`${PLAYGROUND}/v1/messages?beta=true`, ANTHROPIC],
    ["/v1/responses", OPENAI],
    [`${PLAYGROUND}/v1/chat/completions`, OPENAI],
    ["/v1/chat/completions?next=/v1/messages", OPENAI],
    ["/v1/messagesx", OPENAI],
  ])("of %s", (url, expected) => {
    expect(ownUpstreamHeaders({ url }, ALL)).toEqual(expected);
  });
});
