import { type CacheMark, CacheTtl, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { findControls, hasCacheControl } from "./chat-cache-control.ts";
import type { JsonObject } from "./json.ts";
import type { LossList } from "./losses.ts";
import type { CACHE_TTL_WORDS } from "./openai-words.ts";

/** A lifetime in the formats' own words. */
type BreakpointTtl = keyof typeof CACHE_TTL_WORDS;

/**
 * The longest lifetime that is not longer than the asked one; undefined is the upstream's own, which is 30 minutes at
 * least and so does for five.
 */
const NEAREST_TTL: Partial<Record<CacheTtl, BreakpointTtl>> = {
  [CacheTtl.CACHE_TTL_1H]: "30m",
  [CacheTtl.CACHE_TTL_30M]: "30m",
  [CacheTtl.CACHE_TTL_12H]: "12h",
};

/** The origin of a request's cache marks, and whether the upstream takes them. */
interface BreakpointFacts {
  readonly input: HubInput;
  readonly losses: LossList;
  /** True if breakpoints may be sent: servers other than OpenAI's may refuse a request that has them. */
  readonly areKnown: boolean;
  /** The same for marks that a Chat caller says as `cache_control`; undefined where these go out as they came. */
  readonly areControlsKnown: boolean | undefined;
}

/** Cache marks as OpenAI's two formats say them: breakpoints on parts, and options of the request. */
export class CacheBreakpoints {
  readonly areKnown: boolean;
  readonly #input: HubInput;
  readonly #losses: LossList;
  readonly #controls: ReadonlySet<CacheMark>;
  readonly #areControlsKnown: boolean | undefined;
  #isPlaced = false;

  constructor({ input, losses, areKnown, areControlsKnown }: BreakpointFacts) {
    this.#controls = findControls(input);
    this.#areControlsKnown = areControlsKnown;
    this.#input = input;
    this.#losses = losses;
    this.areKnown = areKnown;
  }

  /** Puts a mark on the part that ends what it covers; a part has one at most. `place` is that of the marked block. */
  put(mark: CacheMark | undefined, place: string, part: JsonObject): void {
    if (mark === undefined) return;
    if (!(this.#controls.has(mark) ? this.#areControlsKnown : this.areKnown)) {
      this.lose(mark, place);
      return;
    }
    const ttl = this.#ttl(mark, `${place}.cache_mark`);
    this.#isPlaced = true;
    part["prompt_cache_breakpoint"] ??= { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) };
  }

  /** Counts the mark of something that cannot carry one. */
  lose(mark: CacheMark | undefined, place: string): void {
    if (mark === undefined || (this.#controls.has(mark) && this.#areControlsKnown === undefined)) return;
    this.#losses.at(`${place}.cache_mark`);
  }

  /**
   * Encodes `prompt_cache_options` for callers whose own format has none, when all parts are encoded: with an automatic
   * mark the upstream sets one too, and without one it keeps what is marked and nothing else. `longest` is the longest
   * lifetime that the options may name.
   */
  options(longest: BreakpointTtl): JsonObject | undefined {
    const { automaticCacheMark: automatic, dialect } = this.#input;
    if (automatic === undefined) {
      const isOwn = dialect === Dialect.CHAT || dialect === Dialect.RESPONSES;
      return this.#isPlaced && !isOwn ? { mode: "explicit" } : undefined;
    }
    const isControl = hasCacheControl(this.#input.extension);
    if (isControl && this.#areControlsKnown === undefined) return undefined;
    if (!(isControl ? this.#areControlsKnown : this.areKnown)) {
      this.#losses.at("automatic_cache_mark");
      return undefined;
    }
    const place = "automatic_cache_mark";
    const nearest = this.#ttl(automatic, place);
    const isTooLong = nearest === "12h" && longest === "30m";
    if (isTooLong) this.#losses.at(`${place}.ttl`);
    const ttl = isTooLong ? longest : nearest;
    return { mode: "implicit", ...(ttl === undefined ? {} : { ttl }) };
  }

  #ttl({ ttl }: CacheMark, place: string): BreakpointTtl | undefined {
    if (ttl === CacheTtl.CACHE_TTL_1H) this.#losses.at(`${place}.ttl`);
    return NEAREST_TTL[ttl];
  }
}
