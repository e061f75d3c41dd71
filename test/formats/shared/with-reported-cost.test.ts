import { describe, expect, it } from "vitest";
import type { Finished } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts, type ServerName } from "../../../src/catalog/server-facts.ts";
import { createEventDecoder as createEmbeddingDecoder } from "../../../src/formats/embeddings/answer/decode-events.ts";
import type { EventDecoder } from "../../../src/formats/shared/protocol.ts";
import { withReportedCost } from "../../../src/formats/shared/with-reported-cost.ts";
import { readShortAnswer } from "../../support/answers-in-formats.ts";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";

function readCost(end: Finished | undefined): bigint | undefined {
  return end?.usage?.billing?.reportedCostNanos;
}

/** Reads what a server reports, whole and streamed; in streams without its headers. */
function reported(server: ServerName, format: Format, cost: object, headers: Record<string, string> = {}) {
  const places = findServerFacts(server, format).reportedCosts;
  const wrap = (decoder: EventDecoder) => withReportedCost(decoder, places, headers);
  const { whole, streamed } = readShortAnswer(format, { usage: cost }, { wrap });
  return { whole: readCost(whole), streamed: readCost(streamed) };
}

const both = (nanos: bigint | undefined) => ({ whole: nanos, streamed: nanos });

describe.each(FORMATS)("withReportedCost() on %s", (format) => {
  // The amounts are of the servers' own pages, see their files in src/catalog/servers.
  it.each<[ServerName, object, bigint | undefined]>([
    ["openrouter", { cost: 0.95, cost_details: { upstream_inference_cost: 19 } }, 950_000_000n],
    ["openrouter", { cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.0360795 } }, 36_079_500n],
    ["openrouter", { cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } }, 210_000_000n],
    ["openrouter", { cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: null } }, undefined],
    ["openrouter", { cost: 0, is_byok: false }, 0n],
    ["vercel", { cost: 0.0045405 }, 4_540_500n],
    ["xai", { cost_in_usd_ticks: 37756000 }, 3_775_600n],
    ["perplexity", { cost: { input_tokens_cost: 0.00015, request_cost: 0.005, total_cost: 0.00515 } }, 5_150_000n],
    ["deepinfra", { estimated_cost: 9.68e-5 }, 96_800n],
    ["llmgateway", { cost_usd_total: 0.000125, cost_usd_data_storage: 2.5e-7 }, 125_000n],
    ["bifrost", { cost: { total_cost: 0.002 } }, 2_000_000n],
    ["bifrost", { cost: 0.002 }, 2_000_000n],
    ["requesty", { cost: 0.002 }, 2_000_000n],
    ["litellm", { cost: 7.2e-6 }, 7200n],
    ["litellm", { cost: 0 }, undefined],
  ])("reads that of %s: %j", (server, cost, nanos) => {
    expect(reported(server, format, cost)).toEqual(both(nanos));
  });

  it.each([
    ["none", {}],
    ["what is not a number", { cost: "free" }],
    ["a negative one", { cost: -1 }],
    ["one of 100,001 USD", { cost: 100_001 }],
    ["an object", { cost: { total: 1 } }],
  ])("takes %s for no cost", (_what, cost) => {
    expect(reported("openrouter", format, cost)).toEqual(both(undefined));
  });

  it("reads a header of whole answers alone", () => {
    const headers = { "x-litellm-response-cost": "0.000415" };
    expect(reported("litellm", format, {}, headers)).toEqual({ whole: 415_000n, streamed: undefined });
    expect(reported("litellm", format, {}, { "x-litellm-response-cost": "0.0" })).toEqual(both(undefined));
    const spent = reported("aimlapi", format, {}, { "x-aimlapi-usd-spent": "1.2e-05" });
    expect(spent).toEqual({ whole: 12_000n, streamed: undefined });
  });

  it("says nothing of a server that is not known", () => {
    expect(reported("unknown", format, { cost: 1 })).toEqual(both(undefined));
  });
});

describe("withReportedCost()", () => {
  it("reads that of embeddings", () => {
    const usage = { prompt_tokens: 8, total_tokens: 8, cost: 0.0000016 };
    const body = JSON.stringify({ data: [{ index: 0, embedding: [0.5] }], model: "m", usage });
    const decoder = withReportedCost(createEmbeddingDecoder(), findServerFacts("openrouter", "chat").reportedCosts, {});
    const end = decoder.decodeWhole(body).at(-1)?.event;
    expect(end?.case === "finished" && readCost(end.value)).toBe(1600n);
  });
});
