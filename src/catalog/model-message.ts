import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type Model,
  ModelFamily,
  ModelSchema,
  type PriceSchema,
  TierPriceSchema,
} from "../../gen/attune/model/v1/model_pb.ts";
import { type CatalogModel, type ModelFamily as Family, UNKNOWN_TOKENS } from "./model.ts";
import { FURTHER_KINDS, type PricePicos, type PriceSet, type TokenPrices } from "./prices.ts";

const FAMILY: Record<Family, ModelFamily> = {
  chat: ModelFamily.CHAT,
  responses: ModelFamily.RESPONSES,
  messages: ModelFamily.MESSAGES,
};

/** Turns a model into the message that lists it under `id`. */
export function modelToMessage(model: CatalogModel, id: string): Model {
  const { deployments, createdAt, family, price, contextWindow, maxInputTokens = contextWindow, ...facts } = model;
  return create(ModelSchema, {
    ...facts,
    id,
    family: FAMILY[family],
    price: price === undefined ? undefined : priceToMessage(price),
    contextWindow: zeroIfUnknown(contextWindow),
    maxInputTokens: zeroIfUnknown(maxInputTokens),
    maxOutputTokens: zeroIfUnknown(model.maxOutputTokens),
    createdAt: timestampFromDate(createdAt),
    upstreams: [...new Set(deployments.map((deployment) => deployment.upstream))],
  });
}

function zeroIfUnknown(tokens: number): number {
  return tokens === UNKNOWN_TOKENS ? 0 : tokens;
}

function priceToMessage(price: PricePicos): MessageInitShape<typeof PriceSchema> {
  const { tiers = {}, hours = [], regions, toolCallNanos = {} } = price;
  const entries = Object.entries(tiers).map(([name, set]) => {
    return [name, create(TierPriceSchema, { price: setToMessage(set) })] as const;
  });
  const calls = Object.entries(toolCallNanos).map(([name, nanos]) => [name, BigInt(nanos)] as const);
  return {
    ...setToMessage(price),
    tiers: Object.fromEntries(entries),
    hours: hours.map(({ fromMinute, toMinute, days = [], ...set }) => {
      return { fromMinute, toMinute, days: [...days], price: setToMessage(set) };
    }),
    regions: { ...regions },
    toolCallNanos: Object.fromEntries(calls),
  };
}

function setToMessage({ longPrompt = [], ...prices }: PriceSet) {
  return {
    ...tokenPicos(prices),
    longPrompts: longPrompt.map(({ aboveTokens, ...step }) => ({ aboveTokens, ...tokenPicos(step) })),
  };
}

function tokenPicos(prices: TokenPrices) {
  const further = FURTHER_KINDS.flatMap((kind) => {
    const picos = prices[kind];
    return picos === undefined ? [] : [[`${kind}Picos`, BigInt(picos)] as const];
  });
  return {
    inputPicos: BigInt(prices.input),
    outputPicos: BigInt(prices.output),
    cacheReadPicos: BigInt(prices.cacheRead),
    cacheWrite5mPicos: BigInt(prices.cacheWrite5m),
    cacheWrite1hPicos: BigInt(prices.cacheWrite1h),
    ...(further.length > 0 && { further: Object.fromEntries(further) }),
  };
}
