import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeCount } from "../../../../src/formats/messages/answer/decode-count.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";

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
