import { InferenceError } from "../../../hub/error.ts";
import type { JsonObject } from "../../shared/json.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A page that a request asks for. */
interface PageRequest {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** Id of the item that it begins behind. */
  readonly after: string | undefined;
}

/** Reads which page of a list a request asks for. Throws INVALID_REQUEST. */
export function readPage({ order, limit, after }: Readonly<Record<string, unknown>>): PageRequest {
  if (after !== undefined && (typeof after !== "string" || after === "")) {
    throw InferenceError.invalid("after", "must be the id of an item");
  }
  return { order: readOrder(order), limit: readLimit(limit), after };
}

/** Encodes a page of a list. */
export function encodePage(data: readonly JsonObject[], hasMore: boolean): JsonObject {
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/**
 * Cuts a page out of items that stand in their order: `limit` (1 to 100), `after` (the id of an item), `order` (`desc`,
 * which is the default, or `asc`). Throws INVALID_REQUEST.
 */
export function paginateItems(items: readonly JsonObject[], query: Readonly<Record<string, unknown>>): JsonObject {
  const { order, limit, after } = readPage(query);
  const ordered = order === "asc" ? items : items.toReversed();
  const from = readAfter(after, ordered);
  return encodePage(ordered.slice(from, from + limit), from + limit < ordered.length);
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

function readAfter(value: string | undefined, items: readonly JsonObject[]): number {
  if (value === undefined) return 0;
  const found = items.findIndex(({ id }) => id === value);
  if (found !== -1) return found + 1;
  throw InferenceError.invalid("after", "is not the id of an item of this response");
}
