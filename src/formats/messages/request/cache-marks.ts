import { create } from "@bufbuild/protobuf";
import { type CacheMark, CacheMarkSchema, CacheTtl, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";
import { CACHE_TTL_WORDS } from "../../shared/openai-words.ts";
import { encodeCacheControl, MAX_CACHE_MARKS } from "../cache-control.ts";

const HOUR = create(CacheMarkSchema, { ttl: CacheTtl.CACHE_TTL_1H });

/**
 * Returns the position of the last mark of an hour that none of an asked shorter lifetime precedes. Marks without a
 * lifetime before it last as long: what they cover is written for an hour with it anyway, at no other price.
 */
function lastHour(marks: readonly CacheMark[]): number {
  const isHour = ({ ttl }: CacheMark): boolean => NEAREST_TTL[ttl] === CacheTtl.CACHE_TTL_1H;
  const short = marks.findIndex((mark) => mark.ttl !== CacheTtl.CACHE_TTL_UNSPECIFIED && !isHour(mark));
  return marks.slice(0, short === -1 ? marks.length : short).findLastIndex(isHour);
}

interface PlacedMark {
  readonly block: JsonObject;
  readonly mark: CacheMark;
  readonly place: string;
}

/** The request's own mark, and its place in the hub's request. */
interface AutomaticMark {
  readonly mark: CacheMark;
  readonly place: string;
}

/** The longest lifetime of the format that is not longer than the asked one, or its shortest. */
const NEAREST_TTL: Partial<Record<CacheTtl, CacheTtl>> = {
  [CacheTtl.CACHE_TTL_5M]: CacheTtl.CACHE_TTL_5M,
  [CacheTtl.CACHE_TTL_1H]: CacheTtl.CACHE_TTL_1H,
  [CacheTtl.CACHE_TTL_12H]: CacheTtl.CACHE_TTL_1H,
};

/**
 * Marks of a request in another format, which may be more than Messages takes, and in an order of lifetimes that it
 * refuses.
 */
export class CacheMarks {
  readonly #placed: PlacedMark[] = [];
  readonly #losses: LossList;
  #isShortBefore = false;

  constructor(losses: LossList) {
    this.#losses = losses;
  }

  /** Notes that `block` is marked; marks come in the order of the prompt. */
  add(placed: PlacedMark): void {
    this.#placed.push(placed);
  }

  /**
   * Puts the last marks that fit on their blocks: they cover the longest prefixes. The others are losses. Returns the
   * `cache_control` of the request itself, which takes one of the places.
   */
  settle(automatic?: AutomaticMark): JsonObject | undefined {
    const slots = MAX_CACHE_MARKS - (automatic === undefined ? 0 : 1);
    const lost = Math.max(0, this.#placed.length - slots);
    const latest = this.#placed.slice(lost);
    const hour = lastHour([...latest, ...(automatic === undefined ? [] : [automatic])].map(({ mark }) => mark));
    for (const { place } of this.#placed.slice(0, lost)) this.#losses.at(place);
    for (const [index, { block, mark, place }] of latest.entries()) {
      const isWithin = index < hour && mark.ttl === CacheTtl.CACHE_TTL_UNSPECIFIED;
      block["cache_control"] = isWithin ? encodeCacheControl(HOUR) : this.#encode(mark, place);
    }
    return automatic === undefined ? undefined : this.#encode(automatic.mark, automatic.place);
  }

  /** An hour is refused behind five minutes, which is also what a mark without a lifetime means. */
  #encode(mark: CacheMark, place: string): JsonObject {
    const nearest = NEAREST_TTL[mark.ttl] ?? CacheTtl.CACHE_TTL_UNSPECIFIED;
    const isRefused = nearest === CacheTtl.CACHE_TTL_1H && this.#isShortBefore;
    const ttl = isRefused ? CacheTtl.CACHE_TTL_UNSPECIFIED : nearest;
    if (ttl !== mark.ttl) this.#losses.at(`${place}.ttl`);
    if (ttl !== CacheTtl.CACHE_TTL_1H) this.#isShortBefore = true;
    return encodeCacheControl(create(CacheMarkSchema, { ttl }));
  }
}

const OPTIONS = "prompt_cache_options";

/** Returns the mark that a request asks for as a whole; undefined if it asks for none. */
export function automaticMark(input: InferenceInput): AutomaticMark | undefined {
  const { automaticCacheMark: mark } = input;
  if (mark !== undefined) return { mark, place: "automatic_cache_mark" };
  const options = openAiOptions(input);
  if (options?.mode !== "implicit") return undefined;
  const word = Object.entries(CACHE_TTL_WORDS).find(([name]) => name === options.ttl);
  const ttl = word?.[1] ?? CacheTtl.CACHE_TTL_UNSPECIFIED;
  return { mark: create(CacheMarkSchema, { ttl }), place: `extension.${OPTIONS}` };
}

/**
 * Encodes the members of the request that the hub does not model. OpenAI's callers say there how to cache: an automatic
 * mark (`implicit`) is automaticMark()'s, and marks alone (`explicit`) are what this format does anyway. `said` are
 * those that stand elsewhere in the request.
 */
export function encodeExtension(
  input: InferenceInput,
  losses: LossList,
  said: ReadonlySet<string>,
): JsonObject | undefined {
  const options = openAiOptions(input);
  const { extension } = input;
  if (extension === undefined || (options === undefined && said.size === 0)) return losses.own(extension);
  losses.settle("extension");
  for (const [name, value] of Object.entries(parseJsonObject(extension.json) ?? {})) {
    if (name !== OPTIONS && !said.has(name)) losses.said("", name, value);
  }
  for (const [name, value] of Object.entries(options ?? {})) {
    const isCarried = name === "mode" ? value === "implicit" || value === "explicit" : isTtlOfMark(name, options ?? {});
    if (!isCarried && value !== null) losses.member("", `${OPTIONS}.${name}`);
  }
  return undefined;
}

/** A lifetime belongs to the automatic mark, whose own loss it is; without one there is nothing to say it of. */
function isTtlOfMark(name: string, { mode, ttl }: JsonObject): boolean {
  return name === "ttl" && mode === "implicit" && typeof ttl === "string" && Object.hasOwn(CACHE_TTL_WORDS, ttl);
}

function openAiOptions({ extension }: InferenceInput): JsonObject | undefined {
  if (extension?.dialect !== Dialect.CHAT && extension?.dialect !== Dialect.RESPONSES) return undefined;
  const options = parseJsonObject(extension.json)?.[OPTIONS];
  return isJsonObject(options) ? options : undefined;
}
