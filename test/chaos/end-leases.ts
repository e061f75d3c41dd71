import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../src/store/database/open-store.ts";

/** Processes that live are heard of every ten seconds. */
const SILENT_MS = 12_000;

/** Has the processes that were killed look as if they were not heard of for a minute, and waits until that is seen. */
export async function endLeasesOfDead(url: string): Promise<void> {
  await delay(SILENT_MS);
  const store = await openStore(url);
  try {
    const tables = store.query();
    const rows = await tables.selectFrom("QuotaProcess").selectAll().execute();
    const latest = Math.max(...rows.map(({ seenAt }) => new Date(seenAt).getTime()));
    for (const { process, seenAt } of rows) {
      if (latest - new Date(seenAt).getTime() < SILENT_MS - 2000) continue;
      const long = new Date(Date.now() - 60_000);
      await tables.updateTable("QuotaProcess").set({ seenAt: long }).where("process", "=", process).execute();
    }
    await delay(SILENT_MS);
  } finally {
    await store.close();
  }
}
