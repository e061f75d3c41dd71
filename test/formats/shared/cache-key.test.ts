import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { encodeRequest as encodeChat } from "../../../src/formats/chat/request/encode-request.ts";
import { encodeCompactionRequest } from "../../../src/formats/responses/request/compaction.ts";
import {
  encodeCountRequest,
  encodeRequest as encodeResponses,
} from "../../../src/formats/responses/request/encode-request.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { asSent } from "./as-sent.ts";

const target = {
  model: stubModel,
  deployment: { upstream: "u", model: "real" },
  streamed: false,
  inferenceId: "i",
  projectId: "p",
};
interface Asked {
  readonly dialect: Dialect;
  readonly text: string;
  readonly own: string | undefined;
}
const requests: fc.Arbitrary<Asked> = fc.record({
  dialect: fc.constantFrom(Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES),
  text: fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== ""),
  own: fc.option(fc.string(), { nil: undefined }),
});

function inputOf({ dialect, text, own }: Asked): HubInput {
  return createHubInput({
    dialect,
    ...(own !== undefined && { promptCacheKey: own }),
    messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text } } }] }],
  });
}

describe.each([
  ["openai-chat", encodeChat],
  ["openai-responses", encodeResponses],
])("a cache key for callers who give none, at %s", (_kind, encode) => {
  it("is all that differs, and never stands for the caller's own", () => {
    const property = fc.property(requests, fc.string({ minLength: 1 }), (asked, cacheKey) => {
      const plain = asSent(encode(inputOf(asked), target));
      const named = asSent(encode(inputOf(asked), { ...target, cacheKey }));
      const { prompt_cache_key: own, ...plainly } = JSON.parse(plain.body);
      const { prompt_cache_key: sent, ...others } = JSON.parse(named.body);
      expect(own).toBe(asked.own);
      expect(sent).toBe(asked.own ?? cacheKey);
      expect(JSON.stringify(others)).toBe(JSON.stringify(plainly));
      expect(named.losses).toEqual(plain.losses);
      expect(plain.optimizations).toBeUndefined();
      expect(named.optimizations).toEqual(asked.own === undefined ? ["cache-key"] : undefined);
    });
    fc.assert(property);
  });
});

describe("what is no generation", () => {
  it.each([
    ["a count", encodeCountRequest],
    ["a compaction", encodeCompactionRequest],
  ])("has no key made up: %s", (_name, encode) => {
    const input = inputOf({ dialect: Dialect.RESPONSES, text: "x", own: undefined });
    const { body, optimizations } = encode(input, { ...target, cacheKey: "k" });
    expect(body).not.toContain("prompt_cache_key");
    expect(optimizations).toBeUndefined();
  });
});
