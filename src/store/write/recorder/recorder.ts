import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BodyPolicy } from "../../bodies/body-policy.ts";
import { type Log, SILENT_LOG } from "../../types/log.ts";
import type { Store } from "../../types/store.ts";
import type { Drain, DrainReport } from "../spool/drain.ts";
import type { DrainChannel } from "../spool/drain-requests.ts";
import { DrainThread } from "../spool/drain-thread.ts";
import { Drainer } from "../spool/drainer.ts";
import { RemoteDrain } from "../spool/remote-drain.ts";
import { Spool } from "../spool/spool.ts";
import { createStoreSink } from "../spool/store-sink.ts";
import { SpoolRecorder } from "./spool-recorder.ts";
import type { StoreRecorder } from "./store-recorder.ts";

/** The options of the recorder. */
export interface RecorderOptions {
  readonly log?: Log;
  /** Folder of the spool; one of its own that is deleted at the end if it is not given, as for a database in memory. */
  readonly folder?: string;
  /** Bytes that may wait on the disk. */
  readonly maxBytes?: number;
  /** The behaviour beyond that: records without bodies, or no new inferences. */
  readonly whenFull?: "shed" | "refuse";
  /** URL of the database that a thread of its own writes to; without it, the store that is given is written to here. */
  readonly threadDatabaseUrl?: string;
  /** The process that writes to that URL for several; without it, a thread of this one does. */
  readonly drains?: DrainChannel | undefined;
  /** Longest time that an entry waits for others to be written with it. */
  readonly flushIntervalMs?: number;
  /** Most entries of one transaction. */
  readonly batchSize?: number;
  /** The time that close() waits for the database. */
  readonly closeTimeoutMs?: number;
  /** A segment of the spool that has so many bytes is followed by the next one. */
  readonly segmentBytes?: number;
  /** Returns the body policy of a project; absent: everything is kept. */
  readonly bodiesOf?: (projectId: string) => BodyPolicy;
}

const DEFAULTS = {
  /** The more rows a transaction has, the less each costs. Who needs a record before asks the process that has it. */
  flushIntervalMs: 200,
  maxBytes: 2 ** 30,
  whenFull: "shed" as const,
  closeTimeoutMs: 10_000,
  segmentBytes: 8 * 2 ** 20,
};

/** Creates a recorder on a database. Throws an Error for people if the spool's folder cannot be used. */
export function createRecorder(store: Store, options: RecorderOptions = {}): StoreRecorder {
  const { folder, drains, log = SILENT_LOG } = options;
  const root = folder ?? mkdtempSync(join(tmpdir(), "attune-spool-"));
  const { segmentBytes, flushIntervalMs } = { ...DEFAULTS, ...options };
  const spool = openSpool(root, segmentBytes, log);
  return new SpoolRecorder({
    ...DEFAULTS,
    ...options,
    log,
    spool,
    // Processes whose entries are written together announce them at the same moments of their clock.
    flushDelayMs: () => flushIntervalMs - (drains === undefined ? 0 : Date.now() % flushIntervalMs),
    startDrain: (onReport) => startDrain(store, spool.path, { ...options, log, onReport }),
    onClosed() {
      if (folder === undefined) rmSync(root, { recursive: true, force: true });
    },
  });
}

interface DrainOptions extends Pick<RecorderOptions, "threadDatabaseUrl" | "drains" | "batchSize"> {
  readonly log: Log;
  readonly onReport: (report: DrainReport) => void;
}

/** Begins to write what is in a folder: by a thread of this process, by another process, or here. */
function startDrain(store: Store, folder: string, options: DrainOptions): Drain {
  const { threadDatabaseUrl: databaseUrl, drains, batchSize, log, onReport } = options;
  if (databaseUrl === undefined) {
    const size = batchSize === undefined ? {} : { batchSize: () => batchSize };
    return new Drainer({ folder, log, onReport, ...size, sink: createStoreSink(async () => store) });
  }
  const { engine, namesPerProject } = store;
  const target = { databaseUrl, namesPerProject, batchSize };
  if (drains !== undefined)
    return new RemoteDrain({ folder, target: { engine, ...target }, channel: drains, onReport });
  return new DrainThread({ ...target, log }).open(folder, onReport);
}

function openSpool(root: string, segmentBytes: number, log: Log): Spool {
  try {
    return new Spool({ root, segmentBytes, onError: (error, message) => log.error({ err: error }, message) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the spool cannot use ${root}: ${reason}: set spool.folder to a writable folder`, {
      cause,
    });
  }
}
