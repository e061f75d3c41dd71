import type { JsonObject } from "./json.ts";
import type { LossList } from "./losses.ts";
import { reduceSchema } from "./reduce-schema.ts";
import type { SchemaSubset } from "./schema-subset.ts";

/** A schema of a request in another format than the target's. */
export interface SchemaToFit {
  readonly schema: JsonObject;
  /** True if the model is to be held to it. */
  readonly strict: boolean | undefined;
  /** Place of the schema in the hub's request. */
  readonly place: string;
  /** Place of what is lost where the target cannot hold a model to the schema. */
  readonly strictPlace: string;
}

/** Most places of a schema that are named one by one. */
const MOST_NAMED = 100;

/**
 * Returns a schema that binds as the target takes it, and names what of it does not. Where the target cannot hold a
 * model to it, the schema stays whole, and `strict` is lost.
 */
export function fitSchema(
  { schema, strict, place, strictPlace }: SchemaToFit,
  subset: SchemaSubset,
  losses: LossList,
): Pick<SchemaToFit, "schema" | "strict"> {
  if (strict !== true) return { schema, strict };
  const reduced = reduceSchema(schema, subset);
  if (reduced === undefined) {
    losses.at(strictPlace);
    return { schema, strict: undefined };
  }
  for (const lost of reduced.lost.slice(0, MOST_NAMED)) losses.at(`${place}.${lost}`);
  if (reduced.lost.length > MOST_NAMED) losses.at(place);
  return { schema: reduced.schema, strict };
}
