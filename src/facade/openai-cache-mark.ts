import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { optional, readChoice, readObject } from "../wire/read.ts";
import { CACHE_TTL_WORDS } from "../wire/responses/words.ts";
import { wordsOf } from "../wire/words.ts";

/** Decodes `prompt_cache_breakpoint`, which OpenAI's two formats share. Throws WireError. */
export function decodeCacheMark(value: unknown, path: string): CacheMark {
  const mark = readObject(value, path);
  readChoice(mark.mode, `${path}.mode`, ["explicit"]);
  const ttl = optional(mark.ttl, `${path}.ttl`, readChoice, wordsOf(CACHE_TTL_WORDS));
  return create(CacheMarkSchema, ttl === undefined ? {} : { ttl: CACHE_TTL_WORDS[ttl] });
}
