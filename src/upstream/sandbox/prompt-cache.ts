import { CacheTtl } from "../../../gen/attune/content/v1/content_pb.ts";

/** Positions at which a mark looks for an earlier entry, itself the first. */
const LOOKBACK_BLOCKS = 20;

const MINUTE_MS = 60_000;

/** Lifetime that each kind of mark gives; a mark that does not say gives five minutes. */
const TTL_MS: Record<CacheTtl, number> = {
  [CacheTtl.CACHE_TTL_UNSPECIFIED]: 5 * MINUTE_MS,
  [CacheTtl.CACHE_TTL_5M]: 5 * MINUTE_MS,
  [CacheTtl.CACHE_TTL_1H]: 60 * MINUTE_MS,
  [CacheTtl.CACHE_TTL_30M]: 30 * MINUTE_MS,
  [CacheTtl.CACHE_TTL_12H]: 720 * MINUTE_MS,
};

/** A prompt as its cache sees it: a list of blocks. */
export interface CachePrompt {
  /** Key of the prefix that ends with each block. */
  readonly keys: readonly string[];
  /** Tokens of the prefix that ends with each block. */
  readonly tokens: readonly number[];
  /** The marks, in the order of the prompt. */
  readonly marks: readonly { readonly index: number; readonly ttl: CacheTtl }[];
  /** Fewest tokens of a prefix that is kept; 0 keeps none. */
  readonly minTokens: number;
}

/** The tokens of a prompt that were read from the cache, and those to write. */
export interface CacheUse {
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  /** Makes what is written readable; called when the answer begins. */
  commit(): void;
}

interface Entry {
  readonly ttlMs: number;
  expiresAtMs: number;
}

/**
 * Remembers prefixes of prompts as Anthropic's cache does: exact prefixes up to a mark, for the mark's lifetime from
 * the last read on. Holds a bounded number of them; those used least recently go first.
 */
export class PromptCache {
  readonly #now: () => number;
  readonly #maxEntries: number;
  /** By the key of the prefix, the least recently used first. */
  readonly #entries = new Map<string, Entry>();

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number, maxEntries = 10_000) {
    this.#now = now;
    this.#maxEntries = maxEntries;
  }

  /** Returns the number of remembered prefixes. */
  get size(): number {
    return this.#entries.size;
  }

  /** Reads the longest prefix that is remembered, and tells what is to be written beyond it. */
  use({ keys, tokens, marks, minTokens }: CachePrompt): CacheUse {
    const tokensAt = (index: number): number => tokens[index] ?? 0;
    const counting = minTokens === 0 ? [] : marks.filter(({ index }) => tokensAt(index) >= minTokens);
    const read = counting.reduce((longest, { index }) => Math.max(longest, this.#find(keys, index)), -1);
    const written = counting.filter(({ index }) => index > read);
    const hour = written.findLast(({ ttl }) => ttl === CacheTtl.CACHE_TTL_1H)?.index ?? read;
    const last = written.at(-1);
    const end = last?.index ?? read;
    const shortTokens = tokensAt(end) - tokensAt(hour);
    const isFiveMinutes = last?.ttl === CacheTtl.CACHE_TTL_5M || last?.ttl === CacheTtl.CACHE_TTL_UNSPECIFIED;
    return {
      cacheReadTokens: tokensAt(read),
      cacheWriteTokens: tokensAt(end) - tokensAt(read),
      cacheWrite5mTokens: isFiveMinutes ? shortTokens : 0,
      cacheWrite1hTokens: tokensAt(hour) - tokensAt(read),
      commit: () => {
        for (const { index, ttl } of written) this.#write(keys[index] ?? "", TTL_MS[ttl] ?? TTL_MS[0]);
      },
    };
  }

  /** Position of the longest prefix that a mark finds, which lives on from now; -1 if it finds none. */
  #find(keys: readonly string[], index: number): number {
    const first = Math.max(0, index - LOOKBACK_BLOCKS + 1);
    for (let position = index; position >= first; position--) {
      const key = keys[position] ?? "";
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      this.#entries.delete(key);
      if (entry.expiresAtMs <= this.#now()) continue;
      this.#write(key, entry.ttlMs);
      return position;
    }
    return -1;
  }

  #write(key: string, ttlMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { ttlMs, expiresAtMs: this.#now() + ttlMs });
    while (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest === undefined) return;
      this.#entries.delete(oldest);
    }
  }
}
