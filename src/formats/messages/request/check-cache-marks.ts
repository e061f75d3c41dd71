import { CacheTtl } from "../../../../gen/attune/content/v1/content_pb.ts";
import { WireError } from "../../shared/read.ts";
import { MAX_CACHE_MARKS } from "../cache-control.ts";

/** A cache mark and where it stands. */
export interface PlacedCacheMark {
  /** Place of the marked block: `messages[0].content[2]`; empty for the request's own, automatic mark. */
  readonly path: string;
  /** Undefined for a lifetime that is not known, whose order its upstream knows. */
  readonly ttl: CacheTtl | undefined;
}

/**
 * Checks the marks of a request, given in the order of the prompt: tools, system, messages, and last the automatic one.
 * Throws WireError for a fifth mark, and for a mark of an hour that follows one of five minutes.
 */
export function checkCacheMarks(marks: readonly PlacedCacheMark[]): void {
  const tooMany = marks[MAX_CACHE_MARKS];
  if (tooMany !== undefined) {
    throw new WireError(
      place(tooMany),
      `a request may have at most ${MAX_CACHE_MARKS} cache marks, and this one has ${marks.length}; remove ` +
        "this mark or another one",
    );
  }
  let short: PlacedCacheMark | undefined;
  for (const mark of marks) {
    if (mark.ttl === undefined) continue;
    if (mark.ttl !== CacheTtl.CACHE_TTL_1H) short ??= mark;
    else if (short !== undefined) {
      throw new WireError(
        `${place(mark)}.ttl`,
        `a mark of '1h' must not come after one of '5m', which stands at ${place(short)}; the order is ` +
          "tools, system, messages",
      );
    }
  }
}

function place({ path }: PlacedCacheMark): string {
  return path === "" ? "cache_control" : `${path}.cache_control`;
}
