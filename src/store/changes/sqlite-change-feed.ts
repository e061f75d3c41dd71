import { type OpenSqlite, openSqlite } from "../database/sqlite-database.ts";
import { SqlitePlace } from "../database/sqlite-place.ts";
import type { Log } from "../types/log.ts";
import { type ChangeFeed, type ChangeListener, type Channel, type Coverage, NOTHING_COVERED } from "./change-feed.ts";
import { ChangeListeners, NOT_TOLD, TOLD_AGAIN } from "./change-listeners.ts";

/** The options of a feed on SQLite. */
interface SqliteFeedOptions {
  readonly file: string;
  readonly log: Log;
  /** The polling interval in milliseconds; changes arrive that much later at most. */
  readonly everyMs?: number;
}

/** A change that was told. */
export interface Notice {
  readonly id: number;
  readonly channel: string;
  readonly payload: string;
}

const EVERY_MS = 50;
/** The delay before the next try after a failed poll; a failure that lasts is logged. */
const AFTER_FAILURE_MS = 250;
const COMPLAIN_AFTER_MS = 1000;

const LATEST = 'select coalesce(max("id"), 0) as "id" from "change_notice"';
/** Selects what was told after an id. */
export const NEW_NOTICES = 'select "id", "channel", "payload" from "change_notice" where "id" > ? order by "id"';

/**
 * Tells what the processes on one file have changed, whoever they are: each change leaves a row, written with it, and
 * this looks for rows on a connection of its own, which is a read of one page where there are none. A look sees all
 * that was committed before it began.
 */
export class SqliteChangeFeed implements ChangeFeed {
  readonly #file: string;
  readonly #everyMs: number;
  readonly #log: Log;
  /** Processes on one file say all else to each other over sockets. */
  readonly isListening = false;
  readonly #listeners = new ChangeListeners();
  #database: OpenSqlite | undefined;
  /** Remembers which file it was at first: another one in its place has other changes. */
  #place: SqlitePlace | undefined;
  #timer: NodeJS.Timeout | undefined;
  #coverage = NOTHING_COVERED;
  /** The last change that is known; undefined before the first look. */
  #lastId: number | undefined;
  #failingSinceMs: number | undefined;
  #hasComplained = false;

  constructor({ file, log, everyMs = EVERY_MS }: SqliteFeedOptions) {
    this.#file = file;
    this.#log = log;
    this.#everyMs = everyMs;
    this.#look();
  }

  get coverage(): Coverage {
    return this.#coverage;
  }

  subscribe(channel: Channel, listener: ChangeListener): () => void {
    return this.#listeners.add(channel, listener);
  }

  onListening(): void {}

  async catchUp(): Promise<void> {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#look();
  }

  async tell(): Promise<void> {}

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#coverage = NOTHING_COVERED;
    this.#release();
  }

  #look(): void {
    const polledMs = performance.now();
    let nextMs = this.#everyMs;
    try {
      const changes = this.#read(polledMs);
      for (const { channel, payload } of changes) this.#listeners.tell(channel, payload);
      this.#onSuccess();
    } catch (error) {
      this.#release();
      this.#onFailure(error, polledMs);
      nextMs = AFTER_FAILURE_MS;
    }
    this.#timer = setTimeout(() => this.#look(), nextMs).unref();
  }

  /** Returns what is new; the coverage goes up to `askedMs` then. */
  #read(askedMs: number): readonly Notice[] {
    this.#database ??= openSqlite(this.#file, { isReadOnly: true });
    this.#place ??= new SqlitePlace(this.#file);
    this.#place.check();
    if (this.#lastId === undefined) {
      const [latest] = this.#database.prepare(LATEST).all([]) as readonly { id: number }[];
      this.#lastId = latest?.id ?? 0;
      this.#coverage = { sinceMs: askedMs, untilMs: askedMs };
      return [];
    }
    const changes = this.#database.prepare(NEW_NOTICES).all([this.#lastId]) as readonly Notice[];
    const [first] = changes;
    // Only the latest are kept: after a long standstill some may be gone unread.
    const hasMissed = first !== undefined && first.id !== this.#lastId + 1;
    this.#coverage = { sinceMs: hasMissed ? askedMs : this.#coverage.sinceMs, untilMs: askedMs };
    this.#lastId = changes.at(-1)?.id ?? this.#lastId;
    return changes;
  }

  #release(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #onSuccess(): void {
    if (this.#hasComplained) this.#log.warn({}, TOLD_AGAIN);
    this.#failingSinceMs = undefined;
    this.#hasComplained = false;
  }

  /** A lock that another process holds for a moment is not worth a word. */
  #onFailure(error: unknown, atMs: number): void {
    this.#failingSinceMs ??= atMs;
    if (this.#hasComplained || atMs - this.#failingSinceMs < COMPLAIN_AFTER_MS) return;
    this.#hasComplained = true;
    this.#log.warn({ err: error }, NOT_TOLD);
  }
}
