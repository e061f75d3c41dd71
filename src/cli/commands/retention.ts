import { setTimeout as delay } from "node:timers/promises";
import { createMaintenance, type Maintenance, type MaintenanceLog } from "../../store/retention/maintenance.ts";
import { KINDS_OF_DATA } from "../../store/retention/retention-kind.ts";
import type { Store } from "../../store/types/store.ts";
import { defineRootCommand, flag } from "../command.ts";
import { json } from "../options.ts";
import { fail, print, printJson, printTable, tell } from "../output.ts";
import { openConfiguredStore, readConfig } from "../with-config.ts";

/** The time that the command waits for the service's run; what was confirmed is deleted in any case. */
const LONGEST_WAIT_MS = 60_000;

const HELP = `
Without --yes, nothing is changed. The service deletes expired data every hour. It asks first when one run would
delete more than retention.confirmAbovePercent of a kind of data, as after retention was shortened, or where its clock
is weeks ahead of the newest record. The log, GET /readyz and the metric attune_retention_waiting say so.

Check the time and the amounts before you confirm: deletion cannot be undone.`;

/** `attune retention`. */
export const retention = defineRootCommand({
  options: {
    yes: flag("delete all expired data now", { conflicts: ["json"] }),
    ...json("object", ["now", "newestRecordAt", "data"]),
  },
  help: HELP,
  async run({ yes, json: isJson }) {
    const config = readConfig();
    const store = await openConfiguredStore(config);
    try {
      const log: MaintenanceLog = {
        info() {},
        warn: (_, message) => tell(message),
        error: (_, message) => tell(message),
      };
      const maintenance = createMaintenance(store, config.retention, log);
      if (yes) await deleteExpired(maintenance);
      else if (isJson) await showJson(store, maintenance);
      else await show(store, maintenance);
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      await store.close();
    }
  },
});

async function showJson(store: Store, maintenance: Maintenance): Promise<void> {
  const { time, plans } = await maintenance.plan();
  const data = [];
  for (const { kind, retentionDays, expiredBefore, held } of plans) {
    const of = KINDS_OF_DATA[kind];
    const { expired, total } = await of.count(store, of.cutAt(store, expiredBefore), time.now);
    data.push({ kind, retentionDays, expiredBefore, expired, total, needsConfirmation: held !== undefined });
  }
  printJson({ now: time.now, newestRecordAt: time.lastUsed ?? null, data });
}

async function show(store: Store, maintenance: Maintenance): Promise<void> {
  const { time, plans } = await maintenance.plan();
  print(`current time of retention:  ${time.now.toISOString()}`);
  print(`newest record of the data:  ${time.lastUsed?.toISOString() ?? "never"}`);
  print();
  const rows: string[][] = [];
  for (const { kind, retentionDays, expiredBefore, held } of plans) {
    const data = KINDS_OF_DATA[kind];
    const { expired, total } = await data.count(store, data.cutAt(store, expiredBefore), time.now);
    const state = held === undefined ? "automatic" : "NEEDS CONFIRMATION";
    const share = `${total === 0 ? 0 : Math.round((expired / total) * 100)} %`;
    rows.push([data.name, `${retentionDays} days`, expiredBefore.toISOString(), String(expired), share, state]);
  }
  printTable(["DATA", "RETENTION", "EXPIRES BEFORE", "EXPIRED", "SHARE", "DELETION"], rows);
  print("\nFigures are counted in hours. 'attune retention --yes' deletes all expired data.");
}

async function deleteExpired(maintenance: Maintenance): Promise<void> {
  await maintenance.confirm();
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const result = await maintenance.run();
    if (result !== undefined) {
      for (const [kind, count] of Object.entries(result.deleted)) print(`deleted ${count} rows of ${kind}`);
      for (const name of result.droppedPartitions) print(`dropped ${name}`);
      return;
    }
    if (performance.now() > deadline) return print("confirmed: the service deletes the data within a few minutes");
    await delay(1000);
  }
}
