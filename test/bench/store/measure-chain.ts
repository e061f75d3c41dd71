import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { benchRecord } from "./bench-record.ts";

/** What it costs to bring records into the database. */
export interface ChainSample {
  readonly rowsPerSecond: number;
  readonly cpuMicrosPerRow: number;
}

/** Records that wait at most: the chain is measured, and not how much fits into the spool. */
const MOST_QUEUED = 2000;

/** How records come. */
export interface ChainLoad {
  readonly records: number;
  /** Records a second; as fast as they are written, if absent. */
  readonly rate?: number;
  /** How often what has come is written; as the service does it, if absent. */
  readonly flushIntervalMs?: number;
}

/**
 * Brings records through offer(), spool and thread into a database; the CPU is that of this process with its threads.
 */
export async function measureChain(databaseUrl: string, root: string, load: ChainLoad): Promise<ChainSample> {
  const { records, rate, flushIntervalMs } = load;
  const store = await openStore(databaseUrl);
  const folder = mkdtempSync(join(root, "chain-"));
  const recorder = createRecorder(store, {
    folder,
    threadDatabaseUrl: databaseUrl,
    ...(flushIntervalMs !== undefined && { flushIntervalMs }),
  });
  // The thread starts, and opens the database, outside of what is measured.
  recorder.offer(benchRecord());
  await recorder.flush();
  const [begin, before] = [performance.now(), process.cpuUsage()];
  for (let offered = 0; offered < records; offered++) {
    recorder.offer(benchRecord());
    while (offered % 50 === 0 && recorder.stats().queued > MOST_QUEUED) await delay(1);
    while (rate !== undefined && performance.now() - begin < (offered / rate) * 1000) await delay(5);
  }
  await recorder.flush();
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - begin) / 1000;
  const { written, dropped } = recorder.stats();
  await recorder.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  if (written !== records + 1 || dropped > 0) throw new Error(`${written} of ${records + 1} records were written`);
  return { rowsPerSecond: records / seconds, cpuMicrosPerRow: (user + system) / records };
}
