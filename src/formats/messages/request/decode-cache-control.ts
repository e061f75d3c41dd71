import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema, CacheTtl } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { extraMembers } from "../../shared/json.ts";
import { isNewWord, joinMembers, readWords } from "../../shared/open-words.ts";
import { memberPath, readChoice, readObject } from "../../shared/read.ts";
import { wordsOf } from "../../shared/words.ts";
import { CACHE_TTL_WORDS } from "../cache-control.ts";
import type { PlacedCacheMark } from "./check-cache-marks.ts";

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
  const { words, unknown } = readWords(control, place, { ttl: wordsOf(CACHE_TTL_WORDS) });
  const ttl = words.ttl === undefined ? CacheTtl.CACHE_TTL_UNSPECIFIED : CACHE_TTL_WORDS[words.ttl];
  marks.push({ path, ttl: unknown === undefined ? ttl : undefined });
  // Where the lifetime is lost, the mark stays, with the shortest one: nobody asked for a price that is higher.
  return { mark: create(CacheMarkSchema, { ttl }), rest: joinMembers(extraMembers(control, KNOWN), unknown) };
}
