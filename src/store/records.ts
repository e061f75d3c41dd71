import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FeedbackStore, InferenceLookup } from "../feedback/ports.ts";
import type { InferenceArchive, ListInferences, ResponseCacheStore } from "../inference/ports.ts";
import type { DatabaseState } from "../lib/database-state.ts";
import { isUuid } from "../lib/ids.ts";
import type { ChangeFeed } from "./changes/change-feed.ts";
import { watchDatabase } from "./database/database-watch.ts";
import { createOwnInferences, type UnderWay } from "./peers/local-inferences.ts";
import type { ChosenTuple } from "./peers/message.ts";
import { type MessageBus, NO_OTHERS } from "./peers/message-bus.ts";
import { PeerLookup } from "./peers/peer-lookup.ts";
import { createPostgresBus } from "./peers/postgres-bus.ts";
import { SocketBus } from "./peers/socket-bus.ts";
import { findSession } from "./read/find-session.ts";
import { createInferenceArchive } from "./read/inference-archive.ts";
import { createInferenceList } from "./read/inference-list.ts";
import { readSessionChoice, type SessionOfModel } from "./read/read-session-choice.ts";
import { createResponseCache } from "./read/response-cache.ts";
import { StoreLookup } from "./read/store-lookup.ts";
import { createMaintenance, type MaintenanceLog } from "./retention/maintenance.ts";
import type { Held, RetentionSettings } from "./retention/plan-retention.ts";
import type { KnownSettings } from "./settings/known-settings.ts";
import type { Store } from "./types/store.ts";
import { createFeedbackStore } from "./write/feedback-store.ts";
import { createRecorder, type RecorderOptions } from "./write/recorder/recorder.ts";
import type { StoreRecorder } from "./write/recorder/store-recorder.ts";
import { lockFolder } from "./write/spool/folder-lock.ts";

/** The records of a service: written, and found again. */
export interface Records {
  readonly recorder: StoreRecorder;
  readonly archive: InferenceArchive;
  /** Lists what was written. */
  readonly list: ListInferences;
  readonly responseCache: ResponseCacheStore;
  readonly inferences: InferenceLookup;
  readonly feedback: FeedbackStore;
  /** The models that answer in sessions, as other processes tell and as recorded. */
  readonly sessions: {
    readonly heardSinceMs: number;
    tell(choice: ChosenTuple): void;
    /** Has what others tell heard by a listener, in the place of an earlier one. */
    listen(listener: (choices: readonly ChosenTuple[]) => void): void;
    read: (session: SessionOfModel) => Promise<string | undefined>;
  };
  /** Returns the state of the database, for readers and for the recorder. */
  databaseState(): DatabaseState;
  /** Deletions that wait for an operator. */
  held(): readonly Held[];
  /** Writes what waits, for a limited time, and ends what runs beside the requests. The store stays open. */
  close(): Promise<void>;
}

/** The options of records. */
interface RecordsOptions {
  readonly log: MaintenanceLog;
  readonly databaseUrl: string;
  /** Names the database; what waits for it is in a folder of this name in the spool's. */
  readonly databaseId: string;
  readonly spool: { readonly folder: string } & Pick<RecorderOptions, "maxBytes" | "whenFull">;
  /** The process that writes what several record; without it, this one does. */
  readonly drains: RecorderOptions["drains"];
  readonly retention: RetentionSettings;
  /** Most bytes that a stored conversation may take up. */
  readonly maxChainBytes: number;
  /** Returns the body policy of a project. */
  readonly bodiesOf: KnownSettings["bodiesOf"];
  /** The inferences that are under way. */
  readonly underWay: UnderWay;
  /** The feed of changes between processes on one database; its owner closes it. */
  readonly changes: ChangeFeed;
}

/** The time that feedback on a session waits for what was recorded to be written. */
const FLUSH_MS = 1000;

const ADOPT_AGAIN_MS = 100;

/** Opens the records of a database. Rejects if the spool's folder cannot be used. */
export async function openRecords(store: Store, options: RecordsOptions): Promise<Records> {
  const { log, retention, maxChainBytes, underWay, bodiesOf } = options;
  const recorder = createRecorder(store, { ...placeOf(store, options), log, bodiesOf });
  const own = createOwnInferences(underWay, recorder);
  const bus = getBus(store, recorder, options);
  let onChosen = (_: readonly ChosenTuple[]): void => {};
  const peers = new PeerLookup({
    bus,
    own,
    log,
    onSilent: () => takeOver(recorder),
    onChosen: (choices) => onChosen(choices),
  });
  // Processes on one file find each other by their folders; through PostgreSQL only by what they tell.
  if (store.engine === "postgres") await peers.opened;
  const lookup = new StoreLookup({ store, own, peers });
  const maintenance = createMaintenance(store, retention, log);
  maintenance.start();
  const watch = watchDatabase(store, { log });
  return {
    recorder,
    archive: createInferenceArchive({ store, recorder, own, lookup }, { maxBytes: maxChainBytes, bodiesOf }),
    list: createInferenceList(store, (limitMs) => recorder.flush(limitMs)),
    responseCache: createResponseCache(store, bodiesOf),
    inferences: {
      findRecent: (id) => lookup.findRecent(id),
      findStored: (ids, projectId) => lookup.findStored(ids, projectId),
      findCandidates: (answers, projectId) => lookup.findCandidates(answers, projectId),
      async findSession(sessionId, projectId, keyId) {
        // The run that is judged has just ended: its last calls are to be among what is read.
        await recorder.flush(FLUSH_MS);
        return await findSession(store, { sessionId, projectId, keyId });
      },
    },
    feedback: createFeedbackStore(store, recorder),
    sessions: {
      get heardSinceMs() {
        return peers.heardSinceMs;
      },
      tell: (choice) => peers.tellChosen(choice),
      listen(listener) {
        onChosen = listener;
      },
      read: (session) => readSessionChoice(store, session),
    },
    databaseState() {
      const { database } = recorder.stats();
      return database === "ok" ? watch.state : database;
    },
    held: () => maintenance.held(),
    async close() {
      watch.close();
      // Others may ask for what is written to the last.
      await Promise.all([maintenance.close(), recorder.close()]);
      await peers.close();
    },
  };
}

/** Creates the bus between processes: an SQLite file is only ever open on one host, and in one spool. */
function getBus(store: Store, { folder }: StoreRecorder, { changes, log }: RecordsOptions): MessageBus {
  if (store.engine === "postgres") return createPostgresBus(changes);
  return store.location === "memory" ? NO_OTHERS : new SocketBus({ folder, log });
}

/** A process that does not answer may have ended just now: its lock falls a moment later at most. */
function takeOver(recorder: StoreRecorder): void {
  recorder.adopt();
  setTimeout(() => recorder.adopt(), ADOPT_AGAIN_MS).unref();
}

/**
 * A database in memory is reached by no thread and outlived by nothing: its records are written here, from a spool of
 * their own.
 */
function placeOf(store: Store, { databaseUrl, databaseId, spool, drains, log }: RecordsOptions): RecorderOptions {
  if (store.location === "memory") return {};
  const folder = join(spool.folder, databaseId);
  for (const other of findOtherSpools(folder)) {
    log.warn(
      { folder: other },
      `records of another database wait in the spool, and are left alone; those of this one are in ${folder}`,
    );
  }
  return { ...spool, folder, drains, threadDatabaseUrl: databaseUrl };
}

/**
 * Returns the folders beside `own`, the spool of a database, in which processes that have ended left records of other
 * databases: those of other ids, and the shared folder itself, where version 0.2 left records that name no database.
 */
function findOtherSpools(own: string): string[] {
  const shared = dirname(own);
  if (!existsSync(shared)) return [];
  const others = foldersIn(shared).filter((name) => name !== basename(own) && !isUuid(name));
  return [shared, ...others.map((name) => join(shared, name))].filter(isLeft);
}

/**
 * Tells whether a spool has folders of processes that have ended. One that another user alone may read counts as such.
 */
function isLeft(spool: string): boolean {
  try {
    return foldersIn(spool).some((name) => isUuid(name) && hasEnded(join(spool, name)));
  } catch {
    return true;
  }
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function hasEnded(folder: string): boolean {
  const lock = lockFolder(folder);
  lock?.release();
  return lock !== undefined;
}
