import { describeDatabaseUrl } from "../store/database/database-url.ts";
import { migrate } from "../store/database/migrate.ts";
import { fail, print, tell } from "./output.ts";
import { readConfig } from "./with-config.ts";

/** Migrates the configured database, and says what was applied. */
export async function runMigrate(): Promise<void> {
  const { url } = readConfig().database;
  const location = describeDatabaseUrl(url);
  try {
    const applied = await migrate(url, (seconds) => tell(`still at it, for ${seconds} s so far`));
    print(`${location} is up to date`);
    for (const name of applied) print(`  applied ${name}`);
  } catch (thrown) {
    fail(`cannot migrate the database at ${location}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
