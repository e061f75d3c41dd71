import type { Command } from "commander";

const HELP = `
Attune may run meanwhile. The file has the database as it was when the backup began. What waits in the spool is not in
it. To restore it, stop Attune, put the file in the place of the database, delete the files beside it that end in -wal
and -shm, and start Attune. Backups of PostgreSQL are made with pg_dump. See docs/upgrades.md.`;

/** Adds `attune backup`. */
export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .description("copy the SQLite database into a new file, also while Attune runs")
    .argument("<file>", "file that is made")
    .addHelpText("after", HELP)
    .action(async (file: string) => {
      const { runBackup } = await import("./run-backup.ts");
      await runBackup(file);
    });
}
