import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";

/** Names the place of the cache mark of what stands at `place`, in the caller's spelling. */
export function cacheMarkPlace(dialect: Dialect, place: string): string {
  if (dialect === Dialect.MESSAGES) return `${place}.cache_control`;
  return dialect === Dialect.UNSPECIFIED ? `${place}.cache_mark` : `${place}.prompt_cache_breakpoint`;
}
