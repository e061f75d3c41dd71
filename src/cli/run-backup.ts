import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type BackupProgress, backupSqlite } from "../store/database/backup-sqlite.ts";
import { parseDatabaseUrl } from "../store/database/database-url.ts";
import { fail, print, tell } from "./output.ts";
import { readConfig } from "./with-config.ts";

const MB = 1_000_000;

/** Copies the configured SQLite database into a file, and says how far it is. */
export async function runBackup(file: string): Promise<void> {
  const address = parseDatabaseUrl(readConfig().database.url);
  if (address.engine === "postgres") {
    fail("the database is PostgreSQL: make its backup with pg_dump, or as a snapshot of your provider");
  }
  if (address.file === ":memory:") fail("the database is in memory: it has no backup");
  const target = resolve(file);
  const started = performance.now();
  try {
    await backupSqlite(address.file, target, { onProgress: createTenths(tell) });
  } catch (thrown) {
    fail(`cannot back up ${address.file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`${target} has the database: ${(statSync(target).size / MB).toFixed(1)} MB in ${seconds} s, checked`);
}

/** Creates what tells of each tenth that is copied, but the last. */
function createTenths(tell: (line: string) => void): (progress: BackupProgress) => void {
  let told = 0;
  return ({ totalPages, remainingPages }) => {
    const tenths = Math.floor(((totalPages - remainingPages) / totalPages) * 10);
    if (tenths <= told || tenths > 9) return;
    told = tenths;
    tell(`copied ${tenths * 10}%`);
  };
}
