import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { withTimeout } from "../database/with-timeout.ts";
import type { Log } from "../types/log.ts";
import {
  CHANNELS,
  type ChangeFeed,
  type ChangeListener,
  type Channel,
  type Coverage,
  NOTHING_COVERED,
} from "./change-feed.ts";
import { ChangeListeners, NOT_TOLD, TOLD_AGAIN } from "./change-listeners.ts";

/** Times of a feed, in milliseconds. */
export interface FeedTimes {
  /** The interval at which the connection is tried; coverage lags by that much. */
  readonly pingMs: number;
  /** The time limit of a response, after which the connection counts as dead. */
  readonly timeoutMs: number;
  readonly firstBackoffMs: number;
  readonly longestBackoffMs: number;
}

/** The options of a feed on PostgreSQL. */
interface PostgresFeedOptions {
  /** Makes a client that is not yet connected. */
  createClient(): Promise<Client>;
  readonly log: Log;
  readonly times?: Partial<FeedTimes>;
}

const TIMES: FeedTimes = { pingMs: 250, timeoutMs: 2000, firstBackoffMs: 100, longestBackoffMs: 2000 };

const GOODBYE_MS = 100;
/** The notifications in one statement, and those that may wait; more are dropped. */
const TOLD_AT_ONCE = 100;
const MOST_WAITING = 1000;

/** A channel of tries alone. */
const TRIAL_CHANNEL = "attune_trial";

const TELL = "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as told (channel, payload)";

/**
 * Listens on one connection of its own, and asks it several times a second whether it still listens. PostgreSQL sends
 * what has been notified before it answers, so each answer extends the coverage to the time of its question. A
 * connection that dies in silence thus ends the coverage at once, and no process trusts it beyond that.
 */
export class PostgresChangeFeed implements ChangeFeed {
  readonly #options: PostgresFeedOptions;
  readonly #times: FeedTimes;
  readonly #listeners = new ChangeListeners();
  readonly #onListening: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #work: Promise<void>;
  #coverage = NOTHING_COVERED;
  #failures = 0;
  /** The connection, while it listens. */
  #client: Client | undefined;
  #toTell: (readonly [channel: Channel, payload: string])[] = [];
  #telling: Promise<void> | undefined;

  constructor(options: PostgresFeedOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#work = this.#run();
  }

  get coverage(): Coverage {
    return this.#coverage;
  }

  get isListening(): boolean {
    return this.#client !== undefined;
  }

  onListening(listener: () => void): void {
    this.#onListening.push(listener);
    if (this.isListening) listener();
  }

  async catchUp(): Promise<void> {
    const client = this.#client;
    // A connection that is lost is found out by the next ping.
    if (client !== undefined) await this.#answer(client.query("select 1")).catch(() => {});
  }

  async tell(channel: Channel, payload: string): Promise<void> {
    if (this.#client === undefined || this.#toTell.length >= MOST_WAITING) return;
    this.#toTell.push([channel, payload]);
    this.#telling ??= this.#tellAll(this.#client).finally(() => {
      this.#telling = undefined;
    });
    await this.#telling;
  }

  subscribe(channel: Channel, listener: ChangeListener): () => void {
    return this.#listeners.add(channel, listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
    this.#coverage = NOTHING_COVERED;
  }

  /** Connects again and again, less often while that fails. */
  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#connectAndListen();
      } catch (error) {
        this.#onFailure(error);
      }
      const { firstBackoffMs, longestBackoffMs } = this.#times;
      const backoffMs = Math.min(firstBackoffMs * 2 ** Math.max(0, this.#failures - 1), longestBackoffMs);
      await this.#pause(backoffMs * (0.5 + Math.random() / 2));
    }
  }

  /** Resolves when the feed is closed; rejects when the connection is lost. */
  async #connectAndListen(): Promise<void> {
    const client = await this.#options.createClient();
    // Without a listener, a lost connection would end the process. The next query rejects, which is soon enough.
    client.on("error", () => {});
    client.on("notification", ({ channel, payload }) => this.#listeners.tell(channel, payload ?? ""));
    try {
      await this.#connect(client);
      // What is told here need not outlive the server: nobody waits for its disk.
      await this.#answer(client.query("set synchronous_commit = off"));
      await this.#checkSession(client);
      for (const channel of Object.values(CHANNELS)) await this.#answer(client.query(`listen ${channel}`));
      this.#client = client;
      for (const listener of this.#onListening) listener();
      await this.#ping(client, performance.now());
    } finally {
      this.#client = undefined;
      this.#toTell = [];
      await this.#end(client);
    }
  }

  /**
   * Has the limit of the client, within which it may try several hosts; whoever closes the feed does not wait for it.
   */
  async #connect(client: Client): Promise<void> {
    const giveUp = () => client.connection.stream.destroy();
    this.#closing.signal.addEventListener("abort", giveUp);
    try {
      await client.connect();
    } finally {
      this.#closing.signal.removeEventListener("abort", giveUp);
    }
  }

  /**
   * Throws if a pooler lends the session of the connection to others between its statements. Asked through such a pooler,
   * a session often says that it listens, and what it is told reaches whoever has it at that moment, or nobody.
   */
  async #checkSession(client: Client): Promise<void> {
    const { rows } = await this.#answer(client.query<{ pid: number }>("select pg_backend_pid() as pid"));
    // Poolers give connections a number of their own. The types of `pg` leave it out.
    if (rows[0]?.pid === (client as Client & { readonly processID: number | null }).processID) return;
    const payload = randomUUID();
    const heard = new Promise<void>((resolve) => {
      client.on("notification", (told) => told.payload === payload && resolve());
    });
    const teller = await this.#options.createClient();
    teller.on("error", () => {});
    try {
      await this.#connect(teller);
      await this.#answer(client.query(`listen ${TRIAL_CHANNEL}`));
      await this.#answer(teller.query("select pg_notify($1, $2)", [TRIAL_CHANNEL, payload]));
      await this.#answer(heard).catch(() => {
        throw new Error("a pooler shares sessions between connections: it has to keep them apart, or be left out");
      });
    } finally {
      await this.#answer(client.query(`unlisten ${TRIAL_CHANNEL}`)).catch(() => {});
      await this.#end(teller);
    }
  }

  /** A connection that is dead in silence would take its time to say goodbye. */
  async #end(client: Client): Promise<void> {
    await withTimeout(client.end(), GOODBYE_MS).catch(() => client.connection.stream.destroy());
  }

  async #ping(client: Client, sinceMs: number): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const pingedMs = performance.now();
      const { rowCount } = await this.#answer(client.query("select pg_listening_channels()"));
      if (rowCount !== Object.keys(CHANNELS).length) {
        throw new Error("the connection changes sessions: a pooler in between shares them");
      }
      this.#coverage = { sinceMs, untilMs: pingedMs };
      if (this.#failures > 0) this.#options.log.warn({ failures: this.#failures }, TOLD_AGAIN);
      this.#failures = 0;
      await this.#pause(this.#times.pingMs);
    }
  }

  /** Tells what waits, in as few statements as that takes: those that come while one is under way go together. */
  async #tellAll(client: Client): Promise<void> {
    try {
      while (this.#toTell.length > 0 && client === this.#client) {
        const batch = this.#toTell.splice(0, TOLD_AT_ONCE);
        const [channels, payloads] = [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)];
        await client.query(TELL, [channels, payloads]);
      }
    } catch {
      // The connection is lost, which the next ping tells.
    }
  }

  /** An outage is told once, not at every try. */
  #onFailure(error: unknown): void {
    this.#failures += 1;
    if (this.#failures === 1) this.#options.log.warn({ err: error }, NOT_TOLD);
  }

  #answer<T>(work: Promise<T>): Promise<T> {
    return withTimeout(work, this.#times.timeoutMs);
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}
