import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { anthropicMessagesProtocol, decodeCount } from "../../../src/formats/messages/protocol.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("anthropicMessagesProtocol", () => {
  it("names its version, and sends the key if there is one", () => {
    expect(anthropicMessagesProtocol.headers(undefined)).toEqual({ "anthropic-version": "2023-06-01" });
    expect(anthropicMessagesProtocol.headers("k")).toEqual({ "anthropic-version": "2023-06-01", "x-api-key": "k" });
  });

  it("knows the path, and the header with the upstream's identifier", () => {
    const { path, requestIdHeaders } = anthropicMessagesProtocol;
    expect({ path, requestIdHeaders }).toEqual({ path: "/v1/messages", requestIdHeaders: ["request-id"] });
  });
});

describe("decodeCount()", () => {
  it("reads the count", () => {
    expect(decodeCount('{"input_tokens":2095}')).toEqual({ inputTokens: 2095, extension: undefined });
  });

  it("keeps what only the format knows", () => {
    const context = '{"context_management":{"original_input_tokens":70000}}';
    const { extension } = decodeCount(`{"input_tokens":25000,${context.slice(1)}`);
    expect(extension).toMatchObject({ dialect: Dialect.MESSAGES, json: context });
  });

  it.each(["", "[]", "{}", '{"input_tokens":"5"}', '{"input_tokens":-1}', '{"input_tokens":1.5}'])(
    "refuses %j",
    (body) => {
      expect(() => decodeCount(body)).toThrow(
        expect.objectContaining({
          reason: ErrorReason.UPSTREAM_ERROR,
          message: "the upstream answered without a count of tokens",
        }),
      );
    },
  );
});
