import { ErrorReason, InferenceError } from "../../inference/error.ts";
import type { Principal } from "../../inference/ports.ts";
import { type Log, SILENT_LOG } from "../log.ts";

/** What authentication needs of a key that is good. */
export interface ActiveKey {
  /** Id of the row. */
  readonly id: string;
  readonly principal: Principal;
  /** Milliseconds since the epoch; undefined if it does not expire. */
  readonly expiresAtMs: number | undefined;
}

/** Reads a key by its hash; undefined if there is none, or it was revoked. Rejects if the database cannot tell. */
export type ReadKey = (hash: string) => Promise<ActiveKey | undefined>;

/** Times and bounds of the cache. */
export interface KeyCacheOptions {
  readonly log?: Log;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** How long an answer of the database is used without asking again; a revocation takes effect within this time. */
  readonly freshMs?: number;
  /** How long a good key stays good while the database is away. */
  readonly staleMs?: number;
  /** How long the database may take to answer. */
  readonly readTimeoutMs?: number;
  /** Most good keys, and most unknown ones, that are remembered. */
  readonly maxEntries?: number;
}

interface Entry {
  key: ActiveKey | undefined;
  /** When the database last answered. */
  readAt: number;
  /** When it was last asked. */
  checkedAt: number;
  /** Whether it was away when it was last asked. */
  away: boolean;
}

const DEFAULTS = { freshMs: 1000, staleMs: 60_000, readTimeoutMs: 2000, maxEntries: 10_000 };

/**
 * Remembers keys by their hash. A key in use is read again in the background at half of its freshness, so that no request
 * waits for it. Unknown keys are remembered apart: a flood of them cannot push out the good ones.
 */
export class KeyCache {
  readonly #read: ReadKey;
  readonly #options: typeof DEFAULTS & { log: Log; now: () => number };
  readonly #good = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<ActiveKey | undefined>>();

  constructor(read: ReadKey, options: KeyCacheOptions = {}) {
    this.#read = read;
    this.#options = { ...DEFAULTS, log: SILENT_LOG, now: () => performance.now(), ...options };
  }

  /** Returns the good key of a hash, at once where it is fresh. Rejects with UNAVAILABLE if that cannot be told. */
  get(hash: string): ActiveKey | undefined | Promise<ActiveKey | undefined> {
    const entry = this.#good.get(hash) ?? this.#unknown.get(hash);
    if (entry === undefined || !this.#isUsable(entry)) return this.#refresh(hash);
    const isHalfway = this.#options.now() - entry.checkedAt >= this.#options.freshMs / 2;
    if (isHalfway && entry.key !== undefined) this.#refresh(hash).catch(() => {});
    return entry.key;
  }

  /** While the database is away, nobody waits for it to say so again. */
  #isUsable(entry: Entry): boolean {
    const { now, freshMs, staleMs } = this.#options;
    return now() - entry.checkedAt < freshMs || (entry.away && now() - entry.readAt < staleMs);
  }

  /** Asks the database, once for all who wait for the same key. */
  #refresh(hash: string): Promise<ActiveKey | undefined> {
    const pending = this.#pending.get(hash);
    if (pending !== undefined) return pending;
    const refresh = this.#ask(hash).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, refresh);
    return refresh;
  }

  async #ask(hash: string): Promise<ActiveKey | undefined> {
    const askedAt = this.#options.now();
    try {
      const key = await withTimeout(this.#read(hash), this.#options.readTimeoutMs);
      this.#remember(hash, { key, readAt: askedAt, checkedAt: askedAt, away: false });
      return key;
    } catch (error) {
      return this.#withoutDatabase(hash, error);
    }
  }

  #remember(hash: string, entry: Entry): void {
    this.#good.delete(hash);
    this.#unknown.delete(hash);
    const entries = entry.key === undefined ? this.#unknown : this.#good;
    // Entries stand in the order in which they were read; the one that was not asked for longest goes.
    const [oldest] = entries.size < this.#options.maxEntries ? [] : entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(hash, entry);
  }

  #withoutDatabase(hash: string, error: unknown): ActiveKey {
    const { log, now, staleMs } = this.#options;
    const entry = this.#good.get(hash);
    if (entry?.key !== undefined && now() - entry.readAt < staleMs) {
      entry.checkedAt = now();
      entry.away = true;
      log.warn({ err: error, keyId: entry.key.principal.keyId }, "cannot read a key: it goes on as last known");
      return entry.key;
    }
    const message = "the API key cannot be checked at the moment: try again shortly";
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause: error });
  }
}

function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the database gave no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
