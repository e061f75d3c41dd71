import { setTimeout as delay } from "node:timers/promises";
import { createMaintenance, type Maintenance, type MaintenanceLog } from "../store/retention/maintenance.ts";
import { KINDS_OF_DATA } from "../store/retention/retention-kind.ts";
import type { Store } from "../store/types/store.ts";
import { fail, print, printTable, tell } from "./output.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";

/** How long a run of the service may take before this gives up; what was confirmed is deleted all the same. */
const LONGEST_WAIT_MS = 60_000;

/** Shows what is too old, or deletes it. */
export async function runRetention(isConfirmed: boolean): Promise<void> {
  const config = readConfig();
  const store = await openConfiguredStore(config);
  try {
    const log: MaintenanceLog = {
      info() {},
      warn: (_, message) => tell(message),
      error: (_, message) => tell(message),
    };
    const maintenance = createMaintenance(store, config.retention, log);
    if (isConfirmed) await confirm(maintenance);
    else await show(store, maintenance);
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    await store.close();
  }
}

async function show(store: Store, maintenance: Maintenance): Promise<void> {
  const { time, plans } = await maintenance.plan();
  print(`time that retention goes by: ${time.now.toISOString()}`);
  print(`the database was last used:  ${time.lastUsed?.toISOString() ?? "never"}`);
  print();
  const rows: string[][] = [];
  for (const { kind, keptDays, expiredBefore, held } of plans) {
    const data = KINDS_OF_DATA[kind];
    const { expired, total } = await data.count(store, data.cutAt(store, expiredBefore), time.now);
    const state = held === undefined ? "deleted by itself" : "WAITS";
    const share = `${total === 0 ? 0 : Math.round((expired / total) * 100)} %`;
    rows.push([data.name, `${keptDays} days`, expiredBefore.toISOString(), String(expired), share, state]);
  }
  printTable(["DATA", "KEPT FOR", "TOO OLD BEFORE", "TOO OLD", "SHARE", "STATE"], rows);
  print(
    "\nFigures are counted in the hours that they reach over. 'attune retention --confirm' deletes all that is too old.",
  );
}

async function confirm(maintenance: Maintenance): Promise<void> {
  await maintenance.confirm();
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const result = await maintenance.run();
    if (result !== undefined) {
      for (const [kind, count] of Object.entries(result.deleted)) print(`deleted ${count} rows of ${kind}`);
      for (const name of result.droppedPartitions) print(`dropped ${name}`);
      return;
    }
    if (performance.now() > deadline) return print("it is confirmed: the service deletes it within some minutes");
    await delay(1000);
  }
}
