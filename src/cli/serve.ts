import { type Command, Option } from "commander";
import type { LogLevel } from "../observability/log.ts";

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"];

/** Adds `attune serve`. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate the database and serve")
    .addOption(new Option("--log-level <level>", "how much is logged").choices(LOG_LEVELS).default("info"))
    .action(async ({ logLevel }: { logLevel: LogLevel }) => {
      const { serve } = await import("./run-serve.ts");
      await serve(logLevel);
    });
}
