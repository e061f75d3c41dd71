import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema, CacheTtl } from "../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers } from "../../wire/extra-members.ts";
import type { JsonObject } from "../../wire/json.ts";
import { CACHE_TTL_WORDS } from "../../wire/messages/cache-control.ts";
import { memberPath, optional, readChoice, readObject } from "../../wire/read.ts";
import type { PlacedCacheMark } from "./check-cache-marks.ts";

const KNOWN = new Set(["type", "ttl"]);
const TTLS = Object.keys(CACHE_TTL_WORDS) as (keyof typeof CACHE_TTL_WORDS)[];

/** A decoded `cache_control`. */
export interface DecodedCacheControl {
  readonly mark: CacheMark;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** Decodes the `cache_control` of a block, a tool or the request, and notes it in `marks`; undefined if there is none. */
export function decodeCacheControl(
  holder: JsonObject,
  path: string,
  marks: PlacedCacheMark[],
): DecodedCacheControl | undefined {
  if (holder["cache_control"] === undefined || holder["cache_control"] === null) return undefined;
  const place = memberPath(path, "cache_control");
  const control = readObject(holder["cache_control"], place);
  readChoice(control["type"], `${place}.type`, ["ephemeral"]);
  const word = optional(control["ttl"], `${place}.ttl`, readChoice, TTLS);
  const ttl = word === undefined ? CacheTtl.CACHE_TTL_UNSPECIFIED : CACHE_TTL_WORDS[word];
  marks.push({ path, ttl });
  return { mark: create(CacheMarkSchema, { ttl }), rest: extraMembers(control, KNOWN) };
}
