import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DrainHost } from "../../../src/store/write/spool/drain-host.ts";
import type { DrainRequest } from "../../../src/store/write/spool/drain-requests.ts";

/** What each of several processes records. */
export interface ProcessLoad {
  readonly records: number;
  /** Records a second. */
  readonly rate: number;
  /** Whether each writes its own records, or one process those of all. */
  readonly writtenBy: "each" | "one";
}

/** What a record costs all processes together; on PostgreSQL the server's own work comes on top. */
export interface ProcessesSample {
  readonly cpuMicrosPerRow: number;
}

const PROGRAM = fileURLToPath(new URL("recording-process.ts", import.meta.url));

/** Has so many processes record at once. This process writes what they record, if one does for all. */
export async function measureProcesses(
  databaseUrl: string,
  root: string,
  count: number,
  load: ProcessLoad,
): Promise<ProcessesSample> {
  await (await openStore(databaseUrl)).close();
  const folder = mkdtempSync(join(root, "processes-"));
  const text = JSON.stringify({ ...load, databaseUrl, root: folder });
  const host = new DrainHost({ warn: console.error, error: console.error });
  const recording = Array.from({ length: count }, () => start(fork(PROGRAM, [text]), host));
  await Promise.all(recording.map(({ warm }) => warm));
  const before = process.cpuUsage();
  const costs = await Promise.all(recording.map(({ record }) => record()));
  const { user, system } = process.cpuUsage(before);
  rmSync(folder, { recursive: true, force: true });
  return { cpuMicrosPerRow: costs.reduce((sum, cost) => sum + cost, user + system) / count / load.records };
}

type Said = DrainRequest | { readonly isWarm: true } | { readonly cpuMicros: number };

/** Speaks with a process that records: it warms up, and once it is told to, takes what it tells at its end. */
function start(child: ChildProcess, host: DrainHost) {
  const guest = { reply: (reply: object) => void (child.connected && child.send(reply)) };
  const [warm, cost] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  child.on("message", (message: Said) => {
    if ("cpuMicros" in message) cost.resolve(message.cpuMicros);
    else if ("isWarm" in message) warm.resolve();
    else host.hear(guest, message);
  });
  child.once("exit", (status) => {
    for (const { reject } of [warm, cost]) reject(new Error(`a process that records ended with ${status}`));
  });
  return {
    warm: warm.promise,
    record(): Promise<number> {
      child.send("go");
      return cost.promise;
    },
  };
}
