import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { QuotaKind, QuotaRule, QuotaStateSchema } from "../../gen/attune/quota/v1/quota_pb.ts";
import { quotaHeaders } from "../../src/facade/quota-headers.ts";

const NOW = Date.parse("2026-11-30T12:00:48.500Z");
const MINUTE_END = timestampFromMs(Date.parse("2026-11-30T12:01:00Z"));
const STATES = [
  state(QuotaRule.REQUESTS_PER_MINUTE, 60n, 9n),
  state(QuotaRule.REQUESTS_PER_MINUTE, 600n, 300n),
  state(QuotaRule.INPUT_TOKENS_PER_MINUTE, 30_000n, 20_000n),
  state(QuotaRule.OUTPUT_TOKENS_PER_MINUTE, 8000n, 7000n),
  state(QuotaRule.CONCURRENT_CALLS, 10n, 9n),
  state(QuotaRule.COST_NANOS_PER_DAY, 5_000_000_000n, 1_234_567_890n),
  state(QuotaRule.COST_NANOS_TOTAL, 90_000_000_000n, 88_000_000_000n),
];

function state(rule: QuotaRule, limit: bigint, remaining: bigint) {
  return create(QuotaStateSchema, { kind: QuotaKind.KEY, rule, limit, remaining, resetsAt: MINUTE_END });
}

describe("quotaHeaders()", () => {
  it("tells of the limits with least left as OpenAI does", () => {
    expect(quotaHeaders({ url: "/v1/responses" }, STATES, NOW)).toEqual({
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "9",
      "x-ratelimit-reset-requests": "12s",
      "x-ratelimit-limit-tokens": "8000",
      "x-ratelimit-remaining-tokens": "7000",
      "x-ratelimit-reset-tokens": "12s",
      "x-ratelimit-limit-input-tokens": "30000",
      "x-ratelimit-remaining-input-tokens": "20000",
      "x-ratelimit-reset-input-tokens": "12s",
      "x-ratelimit-limit-output-tokens": "8000",
      "x-ratelimit-remaining-output-tokens": "7000",
      "x-ratelimit-reset-output-tokens": "12s",
      "attune-budget-remaining-usd": "1.234568",
    });
  });

  it("tells of them as Anthropic does on its routes", () => {
    expect(quotaHeaders({ url: "/v1/messages?beta=true" }, STATES.slice(0, 3), NOW)).toEqual({
      "anthropic-ratelimit-requests-limit": "60",
      "anthropic-ratelimit-requests-remaining": "9",
      "anthropic-ratelimit-requests-reset": "2026-11-30T12:01:00.000Z",
      "anthropic-ratelimit-tokens-limit": "30000",
      "anthropic-ratelimit-tokens-remaining": "20000",
      "anthropic-ratelimit-tokens-reset": "2026-11-30T12:01:00.000Z",
      "anthropic-ratelimit-input-tokens-limit": "30000",
      "anthropic-ratelimit-input-tokens-remaining": "20000",
      "anthropic-ratelimit-input-tokens-reset": "2026-11-30T12:01:00.000Z",
    });
  });

  it("says nothing where nothing is limited", () => {
    expect(quotaHeaders({ url: "/v1/messages" }, [], NOW)).toEqual({});
  });
});
