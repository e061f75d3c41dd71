import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { createLog } from "../observability/log.ts";
import type { ServeOptions } from "./run-serve.ts";

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"];

const MAX_WAIT_SECONDS = 86_400;
const MAX_WORKERS = 256;

/** Adds `attune serve`. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate the database and serve")
    .addOption(new Option("--log-level <level>", "how much is logged").choices(LOG_LEVELS).default("info"))
    .option("--database-wait <seconds>", "how long a database that cannot be reached is waited for", readSeconds, 30)
    .addOption(
      new Option("--workers <number>", "processes that share the port; auto: one for each processor")
        .env("ATTUNE_WORKERS")
        .argParser(readWorkers)
        .default(1),
    )
    .action(async (options: ServeOptions & { readonly workers: number }) => {
      const { workers, logLevel } = options;
      const { runWorkers, workerRole } = await import("../workers/run-workers.ts");
      const role = workerRole();
      // What starts the others needs little memory: it loads nothing of the service.
      if (role === undefined && workers > 1) process.exit(await runWorkers(workers, createLog(logLevel)));
      const { serve } = await import("./run-serve.ts");
      await serve(options, role);
    });
}

function readWorkers(text: string): number {
  if (text === "auto") return availableParallelism();
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MAX_WORKERS) return number;
  throw new InvalidArgumentError(`must be auto or a whole number from 1 to ${MAX_WORKERS}`);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidArgumentError(`must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
}
