/**
 * The thread that writes the spool to the database: neither SQLite's writes nor their encoding hold up the requests.
 */
import { parentPort, workerData } from "node:worker_threads";
import { lazyAsync } from "../../../lib/lazy-async.ts";
import { parseDatabaseUrl } from "../../database/database-url.ts";
import { openStore } from "../../database/open-store.ts";
import type { Log } from "../../types/log.ts";
import type { DrainCommand, DrainEnd, DrainNews, DrainThreadData } from "./drain-messages.ts";
import { Drainer } from "./drainer.ts";
import { joinWrites } from "./join-writes.ts";
import type { Position } from "./position.ts";
import { createStoreSink } from "./store-sink.ts";

const port = parentPort;
if (port === null) throw new Error("drain-worker.ts runs in a thread");
const { databaseUrl, namesPerProject, batchSize, writeTimeoutMs } = workerData as DrainThreadData;

/**
 * Entries of one transaction, unless that is said. SQLite has one writer, and each transaction writes the same pages of
 * its indexes and rollups anew; on PostgreSQL others wait for the rows of the rollups that a transaction holds.
 */
const BATCH_SIZE = { sqlite: 1024, postgres: 256 } as const;

const tell = (news: DrainNews): void => port.postMessage(news);
const log: Log = {
  warn: (facts, message) => tell({ kind: "log", level: "warn", facts: toPlain(facts), message }),
  error: (facts, message) => tell({ kind: "log", level: "error", facts: toPlain(facts), message }),
};

/** Errors of drivers may hold what cannot go from one thread to another. */
function toPlain(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      value instanceof Error ? { message: value.message, stack: value.stack } : value,
    ]),
  );
}

/** A connection that died without a word never answers, and would be kept. The next thread has new ones. */
async function inTime(write: Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    throw new Error(`the database has not answered a write for ${writeTimeoutMs} ms`);
  }, writeTimeoutMs);
  await write.finally(() => clearTimeout(timer));
}

/**
 * The database may be away when the thread begins: each write then tries to open it, and the probes of several folders
 * at once.
 */
const store = lazyAsync(() => openStore(databaseUrl, { migrate: false, namesPerProject }));
const mostEntries = batchSize ?? BATCH_SIZE[parseDatabaseUrl(databaseUrl).engine];
const drainers = new Map<string, Drainer>();
const sink = createStoreSink(store.get);
const write = joinWrites({
  write: (batch) => inTime(sink.write(batch)),
  isDataFault: sink.isDataFault,
  writers: () => drainers.size,
  mostEntries,
});

function open(folder: string, from: Position): void {
  const drainer = new Drainer({
    folder,
    from,
    log,
    // All of them together hold as much as one would.
    batchSize: () => Math.ceil(mostEntries / Math.max(1, drainers.size)),
    sink: { ...sink, write },
    onReport: (report) => tell({ kind: "report", folder, report }),
  });
  drainers.set(folder, drainer);
}

async function close(folder: string): Promise<void> {
  await drainers.get(folder)?.close();
  drainers.delete(folder);
  tell({ kind: "closed", folder });
}

port.on("message", async (message: DrainCommand | DrainEnd) => {
  if (message.kind === "open") open(message.folder, message.from);
  else if (message.kind === "announce") drainers.get(message.folder)?.announce(message.end);
  else if (message.kind === "take") drainers.get(message.folder)?.take(message.items);
  else if (message.kind === "close") await close(message.folder);
  else {
    await (await store.made())?.close();
    port.close();
  }
});
