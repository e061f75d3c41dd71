import { describe, expect, it } from "vitest";
import { openaiChatProtocol } from "../../../src/formats/chat/protocol.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("openaiChatProtocol", () => {
  it("says where and as whom to call", () => {
    expect(openaiChatProtocol.path).toBe("/chat/completions");
    expect(openaiChatProtocol.requestIdHeaders).toEqual(["x-request-id"]);
    expect(openaiChatProtocol.headers("KEY")).toEqual({ authorization: "Bearer KEY" });
    expect(openaiChatProtocol.headers(undefined)).toEqual({});
  });

  it("reads OpenAI's errors", () => {
    const body = '{"error":{"message":"Said","type":"requests","param":null,"code":"rate_limit_exceeded"}}';
    expect(openaiChatProtocol.decodeError({ status: 429, headers: {}, body }).reason).toBe(ErrorReason.RATE_LIMITED);
  });
});
