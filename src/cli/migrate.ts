import type { Command } from "commander";

/** Flags of `attune migrate`. */
interface MigrateFlags {
  readonly from?: string;
  readonly to?: string;
  readonly overwrite?: true;
  readonly migrateSource?: true;
}

const HELP = `
Without --from, the configured database is brought up to date.

With --from, every table of that database is copied into the one of --to, or else into the configured one:

  attune migrate --from sqlite:./data/attune.db --to postgresql://user:password@host:5432/attune

Stop the service first: what it writes during the move is not in it. The source is only read. A move that was
interrupted is run again, and goes on. The target must be empty, or what an earlier move of the same source left. A
password is better not in the command line: set ATTUNE_DATABASE_URL to the target, and leave --to out. See
docs/database.md.`;

/** Adds `attune migrate`. */
export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date or create it; or move one into another")
    .option("--from <url>", "database to move: sqlite:PATH or postgresql://...")
    .option("--to <url>", "target database, instead of the configured one")
    .option("--overwrite", "overwrite moved rows that changed in the source since")
    .option("--migrate-source", "migrate the source first; otherwise it is only read")
    .addHelpText("after", HELP)
    .action(async ({ from, to, overwrite, migrateSource }: MigrateFlags, command: Command) => {
      if (from === undefined) {
        const needing = { "--to": to, "--overwrite": overwrite, "--migrate-source": migrateSource };
        const [flag] = Object.entries(needing).find(([, value]) => value !== undefined) ?? [];
        if (flag !== undefined) command.error(`error: option '${flag}' needs --from`);
        const { runMigrate } = await import("./run-migrate.ts");
        return await runMigrate();
      }
      const { runMove } = await import("./run-move.ts");
      await runMove({ from, to, overwrite: overwrite === true, migrateSource: migrateSource === true });
    });
}
