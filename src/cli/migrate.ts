import type { Command } from "commander";

/** Adds `attune migrate`. */
export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date; creates it if there is none")
    .action(async () => {
      const { runMigrate } = await import("./run-migrate.ts");
      await runMigrate();
    });
}
