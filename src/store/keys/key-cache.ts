import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { Principal } from "../../hub/principal.ts";
import { isTransient } from "../../lib/database-state.ts";
import { type Coverage, NOTHING_COVERED } from "../changes/change-feed.ts";
import { withTimeout } from "../database/with-timeout.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";

/** The facts of a key that authentication needs. */
export interface KnownKey {
  /** Id of the row. */
  readonly id: string;
  readonly principal: Principal;
  /** Milliseconds since the epoch; undefined if it does not expire. */
  readonly expiresAtMs: number | undefined;
  readonly isRevoked: boolean;
  readonly isPaused: boolean;
}

/** Reads a key by its hash; undefined if there is none. Rejects if the database cannot tell. */
export type ReadKey = (hash: string) => Promise<KnownKey | undefined>;

/** Times and bounds of the cache. */
export interface KeyCacheOptions {
  readonly log?: Log;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** The time for which every change of a key was told to forget(); nothing, if changes are not told. */
  readonly coverage?: () => Coverage;
  /** The time for which a cached key is used without asking the database; a revocation takes effect within it. */
  readonly freshMs?: number;
  /** The same where all changes are notified. */
  readonly toldMs?: number;
  /** The time for which a valid key stays valid while the database is away. */
  readonly staleMs?: number;
  /** The time limit of a read. */
  readonly readTimeoutMs?: number;
  /** Most good keys, and most unknown ones, that are remembered. */
  readonly maxEntries?: number;
}

interface Entry {
  readonly key: KnownKey | undefined;
  /** When the database was asked for what is known. */
  readonly readAt: number;
}

const DEFAULTS = { freshMs: 1000, toldMs: 30_000, staleMs: 900_000, readTimeoutMs: 2000, maxEntries: 10_000 };
const COMPLAINT_PERIOD_MS = 10_000;

/**
 * Remembers keys by their hash. What is known of a good key holds until the database was last asked for it, or until
 * the end of the time for which all changes were told, if that began before. A key in use is read again in the
 * background before its time is over, so that no request waits for it. Unknown keys are remembered apart: a flood of
 * them cannot push out the good ones.
 */
export class KeyCache {
  readonly #read: ReadKey;
  readonly #options: typeof DEFAULTS & { log: Log; now: () => number; coverage: () => Coverage };
  readonly #good = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<KnownKey | undefined>>();
  /** When the database was last asked in vain; undefined if it has answered since. */
  #awayAt: number | undefined;
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(read: ReadKey, options: KeyCacheOptions = {}) {
    this.#read = read;
    const defaults = { log: SILENT_LOG, now: () => performance.now(), coverage: () => NOTHING_COVERED };
    this.#options = { ...DEFAULTS, ...defaults, ...options };
  }

  /** Returns the good key of a hash, at once where that is known. Rejects with UNAVAILABLE if it cannot be told. */
  get(hash: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    const entry = this.#good.get(hash) ?? this.#unknown.get(hash);
    const nowMs = this.#options.now();
    if (entry === undefined || !this.#isUsable(entry, nowMs)) return this.#refresh(hash);
    if (entry.key !== undefined && this.#isDue(entry, nowMs)) this.#refresh(hash).catch(() => {});
    return entry.key;
  }

  /** Forgets what is known of a hash, because it changed; a reading that is under way may be from before. */
  forget(hash: string): void {
    this.#good.delete(hash);
    this.#unknown.delete(hash);
    this.#pending.delete(hash);
  }

  #isUsable(entry: Entry, nowMs: number): boolean {
    const { freshMs, toldMs } = this.#options;
    if (entry.key === undefined) return nowMs - entry.readAt < freshMs;
    if (this.#isAway() && this.#isBearable(entry)) return true;
    return nowMs - this.#knownAt(entry) < freshMs && nowMs - entry.readAt < Math.max(freshMs, toldMs);
  }

  /**
   * Returns whether a good key should be read again soon: at half of its time, or while the database is away, twice a
   * second.
   */
  #isDue(entry: Entry, nowMs: number): boolean {
    const { freshMs, toldMs } = this.#options;
    if (this.#isAway()) return nowMs - (this.#awayAt ?? 0) >= freshMs / 2;
    const hasNotice = this.#knownAt(entry) > entry.readAt;
    return nowMs - entry.readAt >= (hasNotice ? Math.max(freshMs, toldMs) : freshMs) / 2;
  }

  /**
   * Returns whether the database did not answer of late, nor answers those who ask now. Long after the last question
   * nobody knows: it may be back, and has to be asked before a key is used.
   */
  #isAway(): boolean {
    if (this.#awayAt === undefined) return false;
    return this.#pending.size > 0 || this.#options.now() - this.#awayAt < this.#options.freshMs;
  }

  #isBearable(entry: Entry): boolean {
    return this.#options.now() - this.#knownAt(entry) < this.#options.staleMs;
  }

  /** The latest time for which what is known surely holds. */
  #knownAt({ readAt }: Entry): number {
    const { sinceMs, untilMs } = this.#options.coverage();
    return readAt >= sinceMs ? Math.max(readAt, untilMs) : readAt;
  }

  /** Asks the database, once for all who wait for the same key. */
  #refresh(hash: string): Promise<KnownKey | undefined> {
    const pending = this.#pending.get(hash);
    if (pending !== undefined) return pending;
    const isCurrent = () => this.#pending.get(hash) === refresh;
    const refresh: Promise<KnownKey | undefined> = this.#ask(hash, isCurrent).finally(() => {
      if (isCurrent()) this.#pending.delete(hash);
    });
    this.#pending.set(hash, refresh);
    return refresh;
  }

  async #ask(hash: string, isCurrent: () => boolean): Promise<KnownKey | undefined> {
    const readAt = this.#options.now();
    try {
      const key = await withTimeout(this.#read(hash), this.#options.readTimeoutMs);
      this.#awayAt = undefined;
      if (!isCurrent()) return await this.#refresh(hash);
      this.#remember(hash, { key, readAt });
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

  #withoutDatabase(hash: string, error: unknown): KnownKey {
    this.#awayAt = this.#options.now();
    this.#complain(error);
    const entry = this.#good.get(hash);
    if (entry?.key !== undefined && this.#isBearable(entry)) return entry.key;
    if (!isTransient(error)) throw error;
    const message = "the API key cannot be checked at the moment: try again shortly";
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause: error });
  }

  #complain(error: unknown): void {
    const { log, now } = this.#options;
    if (now() - this.#complainedAt < COMPLAINT_PERIOD_MS) return;
    this.#complainedAt = now();
    log.warn({ err: error, knownKeys: this.#good.size }, "cannot read keys: cached keys still work, others get 503");
  }
}
