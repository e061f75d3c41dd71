import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Model, ModelFamily, ModelSchema, type PriceSchema } from "../../gen/attune/model/v1/model_pb.ts";
import type { CatalogModel, ModelFamily as Family, PricePicos, TokenPrices } from "./model.ts";

const FAMILY: Record<Family, ModelFamily> = {
  chat: ModelFamily.CHAT,
  responses: ModelFamily.RESPONSES,
  messages: ModelFamily.MESSAGES,
};

/** Turns a model into the message that lists it under `id`. */
export function modelToMessage(model: CatalogModel, id: string): Model {
  const { deployments, createdAt, family, price, ...facts } = model;
  return create(ModelSchema, {
    ...facts,
    id,
    family: FAMILY[family],
    price: price === undefined ? undefined : priceToMessage(price),
    createdAt: timestampFromDate(createdAt),
    upstreams: [...new Set(deployments.map((deployment) => deployment.upstream))],
  });
}

function priceToMessage(price: PricePicos): MessageInitShape<typeof PriceSchema> {
  const { longPrompt } = price;
  if (longPrompt === undefined) return tokenPicos(price);
  return { ...tokenPicos(price), longPrompt: { aboveTokens: longPrompt.aboveTokens, ...tokenPicos(longPrompt) } };
}

function tokenPicos(prices: TokenPrices) {
  return {
    inputPicos: BigInt(prices.input),
    outputPicos: BigInt(prices.output),
    cacheReadPicos: BigInt(prices.cacheRead),
    cacheWrite5mPicos: BigInt(prices.cacheWrite5m),
    cacheWrite1hPicos: BigInt(prices.cacheWrite1h),
  };
}
