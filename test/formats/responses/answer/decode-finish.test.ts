import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeUsage } from "../../../../src/formats/responses/answer/decode-finish.ts";

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

describe("decodeUsage()", () => {
  const billing = (usage: object, response: object = {}) =>
    (toJson(UsageSchema, decodeUsage({ ...USAGE, ...usage }, { ...response })) as { billing?: unknown }).billing;

  it.each(["default", "auto", "standard", null, 3])("has no tier where %j served", (service_tier) => {
    expect(billing({}, { service_tier })).toBeUndefined();
  });

  it("reads the tier that served, and keeps no more of it than a word", () => {
    expect(billing({}, { service_tier: "priority" })).toEqual({ serviceTier: "priority" });
    expect(billing({}, { service_tier: `\n${"x".repeat(200)}` })).toEqual({ serviceTier: `?${"x".repeat(63)}` });
  });

  it("reads writes for 12 hours", () => {
    const details = { cache_write_tokens: 7, cache_write_tokens_details: { ttl_30m_tokens: 3, ttl_12h_tokens: 4 } };
    expect(billing({ input_tokens_details: details })).toEqual({ cacheWrite12hTokens: 4 });
  });

  it("counts the calls of tools that the provider charges for", () => {
    const output = [
      { type: "web_search_call", action: { type: "search" } },
      { type: "web_search_call", action: { type: "open_page" } },
      { type: "web_search_call" },
      ...[{ type: "file_search_call" }, { type: "function_call" }, { type: "constructor" }, null],
    ];
    expect(billing({}, { output })).toEqual({ toolCalls: { web_search: 2, file_search: 1 } });
    const code = ["a", "a", "b"].map((container_id) => ({ type: "code_interpreter_call", container_id }));
    expect(billing({}, { output: code })).toEqual({ toolCalls: { code_interpreter: 2 } });
    const details = { web_search_calls: 4, x_search_calls: 0 };
    expect(billing({ server_side_tool_usage_details: details }, { output })).toEqual({ toolCalls: { web_search: 4 } });
  });
});
