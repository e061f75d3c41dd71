import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type HourPrice,
  type LongPromptPrice,
  type Model,
  ModelFamily,
  type Price,
} from "../../../gen/attune/model/v1/model_pb.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import { NANOS_PER_USD } from "../../vocabulary/money.ts";

const FAMILY: Record<ModelFamily, string> = {
  [ModelFamily.UNSPECIFIED]: "unknown",
  [ModelFamily.CHAT]: "chat",
  [ModelFamily.RESPONSES]: "responses",
  [ModelFamily.MESSAGES]: "messages",
};

/** Encodes a model as both SDKs' listings want it: `object`, `created` for one, `type`, `created_at` for the other. */
export function encodeModel(model: Model): JsonObject {
  const created = model.createdAt === undefined ? new Date(0) : timestampDate(model.createdAt);
  return {
    id: model.id,
    object: "model",
    type: "model",
    created: Math.floor(created.getTime() / 1000),
    created_at: created.toISOString().replace(".000Z", "Z"),
    owned_by: "attune",
    display_name: model.displayName,
    family: FAMILY[model.family] ?? "unknown",
    purpose: model.purpose,
    embeddings: model.embeddings,
    context_window: model.contextWindow,
    ...(model.contextWindow > 0 && { context_length: model.contextWindow, max_model_len: model.contextWindow }),
    max_input_tokens: model.maxInputTokens,
    max_tokens: model.maxOutputTokens,
    max_output_tokens: model.maxOutputTokens,
    min_cacheable_tokens: model.minCacheableTokens,
    pricing: model.price === undefined ? null : encodePrice(model.price),
    served_by: model.upstreams,
  };
}

/** Prices in USD per million tokens, as people and price lists write them. */
function encodePrice(price: Price): JsonObject {
  const { tiers, hours, regions, toolCallNanos } = price;
  const named = Object.entries(tiers).flatMap(([name, { price: set }]) => (set ? [[name, encodeSet(set)]] : []));
  const calls = Object.entries(toolCallNanos).map(([name, nanos]) => [name, Number(nanos) / NANOS_PER_USD]);
  return {
    unit: "USD per million tokens",
    ...encodeSet(price),
    ...(named.length > 0 && { tiers: Object.fromEntries(named) }),
    ...(hours.length > 0 && { hours: hours.map(encodeHours) }),
    ...(Object.keys(regions).length > 0 && { regions }),
    ...(calls.length > 0 && { tool_calls: Object.fromEntries(calls) }),
  };
}

function encodeHours({ fromMinute, toMinute, days, price }: HourPrice): JsonObject {
  return {
    ...(days.length > 0 && { days }),
    from: timeOf(fromMinute),
    to: timeOf(toMinute),
    ...(price && encodeSet(price)),
  };
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function encodeSet(price: Price): JsonObject {
  const steps = price.longPrompts.map((step) => ({ above_tokens: step.aboveTokens, ...encodeTokenPrices(step) }));
  return { ...encodeTokenPrices(price), ...(steps.length > 0 && { long_prompts: steps }) };
}

function encodeTokenPrices(price: Price | LongPromptPrice): JsonObject {
  const { further } = price;
  return definedMembers({
    input: usd(price.inputPicos),
    output: usd(price.outputPicos),
    cache_read: usd(price.cacheReadPicos),
    cache_write_5m: usd(price.cacheWrite5mPicos),
    cache_write_1h: usd(price.cacheWrite1hPicos),
    cache_write_12h: usd(further?.cacheWrite12hPicos),
    reasoning: usd(further?.reasoningPicos),
    audio_input: usd(further?.audioInputPicos),
    audio_cache_read: usd(further?.audioCacheReadPicos),
    audio_output: usd(further?.audioOutputPicos),
    image_input: usd(further?.imageInputPicos),
    image_output: usd(further?.imageOutputPicos),
  });
}

function usd(picos: bigint | undefined): number | undefined {
  return picos === undefined ? undefined : Number(picos) / 1_000_000;
}

function definedMembers(members: Readonly<Record<string, number | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
