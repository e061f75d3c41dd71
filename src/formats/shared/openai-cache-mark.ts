import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "./json.ts";
import { decodedMember, named, required, wordMember } from "./member.ts";
import { CACHE_TTL_WORDS } from "./openai-words.ts";
import { listWords } from "./words.ts";

/** A decoded `prompt_cache_breakpoint`. */
interface DecodedCacheMark {
  /** Undefined for a mark of a mode that is not known. */
  readonly mark: CacheMark | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** `prompt_cache_breakpoint`, which OpenAI's two formats share. */
export const BREAKPOINT = named(
  "CacheBreakpoint",
  decodedMember(
    {
      mode: required(wordMember(["explicit"], "Kind of the mark")),
      ttl: wordMember(listWords(CACHE_TTL_WORDS), "Lifetime"),
    },
    "Marks the end of a part of the prompt for the upstream's cache",
    ({ mode, ttl }, { object, rest }): DecodedCacheMark =>
      mode === undefined
        ? { mark: undefined, rest: object }
        : { mark: create(CacheMarkSchema, ttl === undefined ? {} : { ttl: CACHE_TTL_WORDS[ttl] }), rest },
  ),
);

/** Puts what is left of a part's mark with the part's other members that the hub does not know. */
export function withMarkRest(
  members: JsonObject | undefined,
  mark: DecodedCacheMark | undefined,
): JsonObject | undefined {
  return mark?.rest === undefined ? members : { ...members, prompt_cache_breakpoint: mark.rest };
}
