import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type LongPromptPrice, type Model, ModelFamily, type Price } from "../../../gen/attune/model/v1/model_pb.ts";
import type { JsonObject } from "../../formats/shared/json.ts";

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
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
    max_output_tokens: model.maxOutputTokens,
    min_cacheable_tokens: model.minCacheableTokens,
    pricing: model.price === undefined ? null : encodePrice(model.price),
    served_by: model.upstreams,
  };
}

/** Prices in USD per million tokens, as people and price lists write them. */
function encodePrice(price: Price): JsonObject {
  const { longPrompt } = price;
  return {
    unit: "USD per million tokens",
    ...encodeTokenPrices(price),
    ...(longPrompt === undefined
      ? {}
      : { long_prompt: { above_tokens: longPrompt.aboveTokens, ...encodeTokenPrices(longPrompt) } }),
  };
}

function encodeTokenPrices(price: Price | LongPromptPrice): JsonObject {
  const usd = (picos: bigint): number => Number(picos) / 1_000_000;
  return {
    input: usd(price.inputPicos),
    output: usd(price.outputPicos),
    cache_read: usd(price.cacheReadPicos),
    cache_write_5m: usd(price.cacheWrite5mPicos),
    cache_write_1h: usd(price.cacheWrite1hPicos),
  };
}
