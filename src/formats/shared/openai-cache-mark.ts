import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, type JsonObject } from "./json.ts";
import { CACHE_TTL_WORDS } from "./openai-words.ts";
import { readChoice, readObject } from "./read.ts";
import { isNewWord, joinMembers, listWords, readWords } from "./words.ts";

const KNOWN = new Set(["mode", "ttl"]);
const MODES = ["explicit"] as const;

/** A decoded `prompt_cache_breakpoint`. */
interface DecodedCacheMark {
  /** Undefined for a mark of a mode that is not known. */
  readonly mark: CacheMark | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** Decodes `prompt_cache_breakpoint`, which OpenAI's two formats share. Throws WireError. */
export function decodeCacheMark(value: unknown, path: string): DecodedCacheMark {
  const mark = readObject(value, path);
  if (isNewWord(mark.mode, MODES)) return { mark: undefined, rest: mark };
  readChoice(mark.mode, `${path}.mode`, MODES);
  const { words, unknown } = readWords(mark, path, { ttl: listWords(CACHE_TTL_WORDS) });
  return {
    mark: create(CacheMarkSchema, words.ttl === undefined ? {} : { ttl: CACHE_TTL_WORDS[words.ttl] }),
    rest: joinMembers(extraMembers(mark, KNOWN), unknown),
  };
}

/** Puts what is left of a part's mark with the part's other members that the hub does not know. */
export function withMarkRest(
  members: JsonObject | undefined,
  mark: DecodedCacheMark | undefined,
): JsonObject | undefined {
  return mark?.rest === undefined ? members : { ...members, prompt_cache_breakpoint: mark.rest };
}
