import type { CatalogModel } from "./model.ts";
import { buildPrice, type WrittenPrice } from "./written-price.ts";

/** A model of which all is known but who serves it. */
export type KnownModel = Omit<CatalogModel, "deployments" | "price"> & {
  readonly price?: WrittenPrice | undefined;
};

/** Puts a known model on the places that serve it. */
export function placeModel({ price, ...model }: KnownModel, deployments: CatalogModel["deployments"]): CatalogModel {
  return { ...model, ...(price && { price: buildPrice(price) }), deployments };
}
