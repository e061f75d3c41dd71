import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type BackupProgress, backupSqlite } from "../../store/database/backup-sqlite.ts";
import { parseDatabaseUrl } from "../../store/database/database-url.ts";
import { argument, defineRootCommand } from "../command.ts";
import { fail, print, tell } from "../output.ts";
import { readConfig } from "../with-config.ts";

const MB = 1_000_000;

const HELP = `
Attune can keep running. The file has the database as it was when the backup began, without the records in the spool.
To restore it, stop Attune, replace the database with the file, delete the files next to it that end in -wal and -shm,
and start Attune. Back up PostgreSQL with pg_dump. See docs/upgrades.md.`;

/** `attune backup`. */
export const backup = defineRootCommand({
  arguments: { file: argument("new file") },
  help: HELP,
  examples: ["attune backup attune-2026-11-29.db"],
  async run({ file }) {
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
  },
});

/** Creates what tells of each tenth that is copied, but the last. */
function createTenths(tell: (line: string) => void): (progress: BackupProgress) => void {
  let shownTenths = 0;
  return ({ totalPages, remainingPages }) => {
    const tenths = Math.floor(((totalPages - remainingPages) / totalPages) * 10);
    if (tenths <= shownTenths || tenths > 9) return;
    shownTenths = tenths;
    tell(`copied ${tenths * 10}%`);
  };
}
