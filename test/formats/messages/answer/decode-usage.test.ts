import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { UsageSum } from "../../../../src/formats/messages/answer/decode-usage.ts";
import { encodeUsage } from "../../../../src/formats/messages/answer/encode-usage.ts";

const PLAIN = {
  input_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
  inference_geo: null,
};
const pass = (type: string, input_tokens: number, output_tokens: number, more: object = {}) => ({
  type,
  input_tokens,
  output_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  ...more,
});

function decode(usage: object) {
  const sum = new UsageSum();
  sum.model = "claude-x";
  sum.add(usage);
  if (sum.usage === undefined) throw new Error("no usage");
  const { extension: _, ...counts } = toJson(UsageSchema, sum.usage) as Record<string, unknown>;
  return { counts, again: encodeUsage(sum.usage) };
}

describe("UsageSum", () => {
  it("adds passes that stand outside of the sums, and tells its own callers what came", () => {
    const written = { cache_creation_input_tokens: 30, cache_creation: { ephemeral_1h_input_tokens: 30 } };
    const usage = { ...PLAIN, iterations: [pass("compaction", 1000, 10, written), pass("message", 20, 5)] };
    expect(decode(usage)).toEqual({
      counts: { inputTokens: 1020, outputTokens: 15, cacheWriteTokens: 30, cacheWrite1hTokens: 30 },
      again: usage,
    });
  });

  it.each([
    ["one pass", [pass("message", 20, 5)]],
    ["passes that are in the sums", [pass("compaction", 15, 3), pass("message", 5, 2)]],
    ["no list", "none"],
  ])("counts %s once", (_name, iterations) => {
    const usage = { ...PLAIN, iterations };
    expect(decode(usage)).toEqual({ counts: { inputTokens: 20, outputTokens: 5 }, again: usage });
  });

  it("names a model of other prices, and counts none of its tokens", () => {
    const other = pass("advisor_message", 900, 90, { model: "claude-y" });
    expect(decode({ ...PLAIN, iterations: [other, pass("message", 20, 5)] }).counts).toEqual({
      inputTokens: 20,
      outputTokens: 5,
      billing: { otherModels: ["claude-y"] },
    });
  });

  it("reads tier, speed, region and the calls of tools", () => {
    const told = {
      service_tier: "batch",
      speed: "fast",
      inference_geo: "us",
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 },
    };
    expect(decode({ ...PLAIN, ...told }).counts).toEqual({
      inputTokens: 20,
      outputTokens: 5,
      billing: { serviceTier: "batch", speed: "fast", region: "us", toolCalls: { web_search: 3 } },
    });
  });

  it("reads nothing of the standard tier, speed and region", () => {
    const told = { service_tier: "standard", speed: "standard", inference_geo: "not_available" };
    expect(decode({ ...PLAIN, ...told }).counts).toEqual({ inputTokens: 20, outputTokens: 5 });
  });
});
