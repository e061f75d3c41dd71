import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema, CacheTtl } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { memberPath, readChoice, readObject, WireError } from "../../shared/read.ts";
import { isNewWord, joinMembers, listWords, readWords } from "../../shared/words.ts";
import { CACHE_TTL_WORDS, MAX_CACHE_MARKS } from "../cache-control.ts";

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

const KNOWN = new Set(["type", "ttl"]);
const TYPES = ["ephemeral"] as const;

/** A decoded `cache_control`. */
interface DecodedCacheControl {
  /** Undefined for a mark of a type that is not known. */
  readonly mark: CacheMark | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/**
 * Decodes the `cache_control` of a block, a tool or the request, and notes it in `marks`; undefined if there is none.
 */
export function decodeCacheControl(
  holder: JsonObject,
  path: string,
  marks: PlacedCacheMark[],
): DecodedCacheControl | undefined {
  if (holder["cache_control"] === undefined || holder["cache_control"] === null) return undefined;
  const place = memberPath(path, "cache_control");
  const control = readObject(holder["cache_control"], place);
  // Whether such a mark counts among the four, its upstream knows.
  if (isNewWord(control["type"], TYPES)) return { mark: undefined, rest: control };
  readChoice(control["type"], `${place}.type`, TYPES);
  const { words, unknown } = readWords(control, place, { ttl: listWords(CACHE_TTL_WORDS) });
  const ttl = words.ttl === undefined ? CacheTtl.CACHE_TTL_UNSPECIFIED : CACHE_TTL_WORDS[words.ttl];
  marks.push({ path, ttl: unknown === undefined ? ttl : undefined });
  // Where the lifetime is lost, the mark stays, with the shortest one: nobody asked for a price that is higher.
  return { mark: create(CacheMarkSchema, { ttl }), rest: joinMembers(extraMembers(control, KNOWN), unknown) };
}
