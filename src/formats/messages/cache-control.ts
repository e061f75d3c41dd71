import { type CacheMark, CacheTtl } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../shared/json.ts";

/** Lifetimes that the format knows, by its own words. */
export const CACHE_TTL_WORDS = { "5m": CacheTtl.CACHE_TTL_5M, "1h": CacheTtl.CACHE_TTL_1H } as const;

/** Cache marks that a request may have, the automatic one included. */
export const MAX_CACHE_MARKS = 4;

/**
 * Returns the `cache_control` of a mark; a lifetime that the format does not know is left out, which means five
 * minutes.
 */
export function encodeCacheControl({ ttl }: CacheMark): JsonObject {
  if (ttl === CacheTtl.CACHE_TTL_5M) return { type: "ephemeral", ttl: "5m" };
  if (ttl === CacheTtl.CACHE_TTL_1H) return { type: "ephemeral", ttl: "1h" };
  return { type: "ephemeral" };
}
