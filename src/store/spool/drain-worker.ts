/** The thread that writes the spool to the database: neither SQLite's writes nor their encoding hold up the requests. */
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Log } from "../log.ts";
import { openStore, type Store } from "../store.ts";
import type { DrainCommand, DrainNews, DrainThreadData } from "./drain-messages.ts";
import { Drainer } from "./drainer.ts";
import { createStoreSink } from "./store-sink.ts";

const OPEN_AGAIN_MS = 500;

const port = parentPort;
if (port === null) throw new Error("drain-worker.ts runs in a thread");
const { databaseUrl, folder, from, batchSize } = workerData as DrainThreadData;

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

let isClosing = false;
let store: Store | undefined;
/** The database may be away when the thread begins; the entries wait in the spool. */
const opened = async (): Promise<Store> => {
  while (store === undefined) {
    if (isClosing) throw new Error("the spool is closed");
    store = await openStore(databaseUrl, { migrate: false }).catch(() => undefined);
    if (store === undefined) await delay(OPEN_AGAIN_MS);
  }
  return store;
};
const drainer = new Drainer({
  folder,
  from,
  batchSize,
  log,
  sink: createStoreSink(opened),
  onReport: (report) => tell({ kind: "report", report }),
});

port.on("message", async (command: DrainCommand) => {
  if (command.kind === "announce") drainer.announce(command.end);
  if (command.kind === "take") drainer.take(command.items);
  if (command.kind !== "close") return;
  isClosing = true;
  await drainer.close();
  await store?.close();
  port.close();
});
