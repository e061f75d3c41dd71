import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema, CacheTtl } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { decodedMember, type Member, named, required, type Source, wordMember } from "../../shared/member.ts";
import { WireError } from "../../shared/read.ts";
import { listWords } from "../../shared/words.ts";
import { CACHE_TTL_WORDS, MAX_CACHE_MARKS } from "../cache-control.ts";

/** A cache mark and where it stands. */
export interface PlacedCacheMark {
  /** Place: `messages[0].content[2].cache_control`. */
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
      tooMany.path,
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
        `${mark.path}.ttl`,
        `a mark of '1h' must not come after one of '5m', which is at ${short.path}; the order is ` +
          "tools, system, messages",
      );
    }
  }
}

/** A decoded `cache_control`. */
export interface DecodedCacheControl {
  /** Undefined for a mark of a type that is not known. */
  readonly mark: CacheMark | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** The marks of a request so far. */
export interface Marking {
  readonly marks: PlacedCacheMark[];
}

/** `cache_control` of a block, a tool or the request, which is noted among the marks. */
export const CACHE_CONTROL: Member<DecodedCacheControl, Marking> = named(
  "CacheControl",
  decodedMember(
    {
      type: required(wordMember(["ephemeral"], "Kind of the mark")),
      ttl: wordMember(listWords(CACHE_TTL_WORDS), "Lifetime"),
    },
    "Marks the end of a part of the prompt for the upstream's cache",
    ({ type, ttl: word }, { object, path, rest, context: { marks } }: Source<Marking>) => {
      // Whether such a mark counts among the four, its upstream knows.
      if (type === undefined) return { mark: undefined, rest: object };
      const ttl = word === undefined ? CacheTtl.CACHE_TTL_UNSPECIFIED : CACHE_TTL_WORDS[word];
      marks.push({ path, ttl: rest?.["ttl"] === undefined ? ttl : undefined });
      // Where the lifetime is lost, the mark stays, with the shortest one: nobody asked for a price that is higher.
      return { mark: create(CacheMarkSchema, { ttl }), rest };
    },
  ),
);
