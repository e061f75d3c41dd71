/** The topics that processes on one database notify each other of; the names are those of PostgreSQL's channels. */
export const CHANNELS = {
  /** A key was created or revoked; the payload is its hash. */
  keys: "attune_keys",
  /** Questions on inferences that are not in the database yet, and the answers: see the room of the neighbours. */
  inferences: "attune_inferences",
  /** There is something to learn from; the payload is empty. */
  learning: "attune_learning",
  /** Something was learned, or said by operators, of workloads; the payload is empty. */
  workloads: "attune_workloads",
  /** A deployment was taken out or put back; the payload is empty. */
  deployments: "attune_deployments",
  /** The settings of a project were changed; the payload is empty. */
  settings: "attune_settings",
  /** A quota was set or cleared; the payload is the id of its project, empty for what is of none. */
  quotas: "attune_quotas",
} as const;

/** One of the channels. */
export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

/** Takes what was told on a channel. */
export type ChangeListener = (payload: string) => void;

/** A span of the monotonic clock, in milliseconds. Every change that was committed within it was told. */
export interface Coverage {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/**
 * Tells what other processes changed, right after they commit it. It may miss changes at any time: `coverage` says for
 * which time it surely has not, and whoever needs a later answer asks the database itself.
 */
export interface ChangeFeed {
  readonly coverage: Coverage;
  /**
   * True if others are heard at the moment, as far as is known. This and `tell` are for the bus of processes on one
   * PostgreSQL.
   */
  readonly isListening: boolean;
  /** Has a listener called for each change of a channel. Returns a function that ends this. */
  subscribe(channel: Channel, listener: ChangeListener): () => void;
  /** Has a listener called each time that others begin to be heard: what was told before may have been missed. */
  onListening(listener: () => void): void;
  /** Has told all that was committed before this call, as far as it is heard; within two seconds. Never rejects. */
  catchUp(): Promise<void>;
  /** Tells all processes something that is in no transaction, at most 7999 bytes; resolves once it is told, or lost. */
  tell(channel: Channel, payload: string): Promise<void>;
  /** Tells no more, and closes its connection. */
  close(): Promise<void>;
}

/** The coverage of a feed that has told nothing yet: no time lies in it. */
export const NOTHING_COVERED: Coverage = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };

/** The feed of a database that no other process can open. */
export const NO_CHANGES: ChangeFeed = {
  coverage: NOTHING_COVERED,
  isListening: false,
  subscribe: () => () => {},
  onListening() {},
  async catchUp() {},
  async tell() {},
  async close() {},
};
