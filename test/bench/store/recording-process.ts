/** A process that records: measure-processes.ts starts several on one database. */
import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import type { DrainChannel, DrainReply } from "../../../src/store/write/spool/drain-requests.ts";
import { benchRecord } from "./bench-record.ts";
import type { ProcessLoad } from "./measure-processes.ts";

/** Before that, V8 compiles what it runs. */
const WARM_RECORDS = 3000;

/** To wake up for each record would cost more than the record. */
const BURST_MS = 100;

const load = JSON.parse(process.argv[2] ?? "{}") as ProcessLoad & {
  readonly databaseUrl: string;
  readonly root: string;
};
const { databaseUrl, root, records, rate, writtenBy } = load;

const channel: DrainChannel = {
  send: (request) => void process.send?.(request),
  onReply: (listen) => void process.on("message", (reply: DrainReply | "go") => reply !== "go" && listen(reply)),
};

const store = await openStore(databaseUrl);
const recorder = createRecorder(store, {
  folder: root,
  threadDatabaseUrl: databaseUrl,
  ...(writtenBy === "one" && { drains: channel }),
});
for (let offered = 0; offered < WARM_RECORDS; offered++) {
  recorder.offer(benchRecord());
  if (offered % 500 === 0) await recorder.flush();
}
await recorder.flush();
process.send?.({ isWarm: true });
await new Promise<void>((resolve) => {
  process.on("message", (message) => message === "go" && resolve());
});
const [begin, before] = [performance.now(), process.cpuUsage()];
for (let offered = 0; offered < records; offered++) {
  if (performance.now() - begin < (offered / rate) * 1000) await delay(BURST_MS);
  recorder.offer(benchRecord());
}
await recorder.flush();
const { user, system } = process.cpuUsage(before);
const { written } = recorder.stats();
if (written !== WARM_RECORDS + records) throw new Error(`${written} records were written`);
await recorder.close();
await store.close();
process.send?.({ cpuMicros: user + system });
process.disconnect?.();
