import type { Command } from "commander";
import { describeDatabaseUrl } from "../store/database-url.ts";
import { migrate } from "../store/migrate.ts";
import { fail, print } from "./output.ts";
import { readConfig } from "./with-config.ts";

/** Adds `attune migrate`. */
export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date; creates it if there is none")
    .action(async () => {
      const { url } = readConfig().database;
      try {
        const applied = await migrate(url);
        print(`${describeDatabaseUrl(url)} is up to date`);
        for (const name of applied) print(`  applied ${name}`);
      } catch (thrown) {
        fail(thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
}
