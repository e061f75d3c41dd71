import { describeDatabaseUrl } from "../store/database-url.ts";
import { migrate } from "../store/migrate.ts";
import { fail, print } from "./output.ts";
import { readConfig } from "./with-config.ts";

/** Migrates the configured database, and says what was applied. */
export async function runMigrate(): Promise<void> {
  const { url } = readConfig().database;
  try {
    const applied = await migrate(url);
    print(`${describeDatabaseUrl(url)} is up to date`);
    for (const name of applied) print(`  applied ${name}`);
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
