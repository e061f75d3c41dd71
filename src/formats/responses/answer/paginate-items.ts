import { InferenceError } from "../../../hub/error.ts";
import type { JsonObject } from "../../shared/json.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * Cuts a page out of items that stand in their order: `limit` (1 to 100), `after` (the id of an item), `order` (`desc`,
 * which is the default, or `asc`). Throws INVALID_REQUEST.
 */
export function paginateItems(items: readonly JsonObject[], query: Readonly<Record<string, unknown>>): JsonObject {
  const ordered = readOrder(query.order) === "asc" ? items : items.toReversed();
  const limit = readLimit(query.limit);
  const from = readAfter(query.after, ordered);
  const data = ordered.slice(from, from + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}

function readOrder(value: unknown): "asc" | "desc" {
  if (value === undefined) return "desc";
  if (value === "asc" || value === "desc") return value;
  throw InferenceError.invalid("order", "must be 'asc' or 'desc'");
}

function readLimit(value: unknown): number {
  const limit = value === undefined ? DEFAULT_LIMIT : Number(value === "" ? Number.NaN : value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw InferenceError.invalid("limit", `must be a whole number from 1 to ${MAX_LIMIT}`);
}

function readAfter(value: unknown, items: readonly JsonObject[]): number {
  if (value === undefined) return 0;
  const found = items.findIndex(({ id }) => id === value);
  if (found !== -1) return found + 1;
  throw InferenceError.invalid("after", "is not the id of an item of this response");
}
