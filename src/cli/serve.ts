import { type Command, InvalidArgumentError, Option } from "commander";
import type { LogLevel } from "../observability/log.ts";

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"];

const MAX_WAIT_SECONDS = 86_400;

/** Adds `attune serve`. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate the database and serve")
    .addOption(new Option("--log-level <level>", "how much is logged").choices(LOG_LEVELS).default("info"))
    .option("--database-wait <seconds>", "how long a database that cannot be reached is waited for", readSeconds, 30)
    .action(async ({ logLevel, databaseWait }: { logLevel: LogLevel; databaseWait: number }) => {
      const { serve } = await import("./run-serve.ts");
      await serve(logLevel, databaseWait);
    });
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidArgumentError(`must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
}
