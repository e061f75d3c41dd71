import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { WorkerRole } from "../workers/run-workers.ts";
import { WORKER_VARIABLE } from "../workers/worker.ts";
import { fitHeaps } from "./fit-heaps.ts";
import type { ServeOptions } from "./run-serve.ts";

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"];

const MAX_WAIT_SECONDS = 86_400;
const MAX_WORKERS = 256;

const HELP = `
ATTUNE_OWNER_EMAIL and ATTUNE_OWNER_PASSWORD_FILE create the first account of the dashboard if there is none. See
docs/operations.md.`;

interface WorkersOptions extends ServeOptions {
  readonly workers: number;
  /** True serves what runs on this host. */
  readonly discover: boolean;
}

/** Adds `attune serve`. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate the database and serve")
    .addOption(new Option("--log-level <level>", "lowest level that is logged").choices(LOG_LEVELS).default("info"))
    .option("--database-wait <seconds>", "how long to wait for a database that cannot be reached", readSeconds, 30)
    .addOption(
      new Option("--workers <number>", "processes that share the port; auto: one for each processor")
        .env("ATTUNE_WORKERS")
        .argParser(readWorkers)
        .default(1),
    )
    .option(
      "--print-secrets",
      "print the first API key and the link of the dashboard's first account also where standard output is no terminal",
      false,
    )
    .option(
      "--discover",
      "without a configuration: look for Ollama, LM Studio, llama.cpp, vLLM and SGLang on this host, and write an " +
        "attune.yaml that serves their models",
      false,
    )
    .addHelpText("after", HELP)
    .action(async (options: WorkersOptions) => {
      // What started the workers has looked.
      if (process.env[WORKER_VARIABLE] === undefined) {
        const { offerLocalServers } = await import("./offer-local-servers.ts");
        await offerLocalServers({ isWanted: options.discover });
      }
      const isAlone = options.workers === 1 && process.env[WORKER_VARIABLE] === undefined;
      const role = isAlone ? undefined : await roleAmong(options);
      const { serve } = await import("./run-serve.ts");
      await serve(options, role);
    });
}

/** Returns what this process is among several; one that no other has started starts them all, and ends with them. */
async function roleAmong({ workers, logLevel }: WorkersOptions): Promise<WorkerRole | undefined> {
  const { runWorkers, workerRole } = await import("../workers/run-workers.ts");
  const role = workerRole();
  if (role !== undefined || workers === 1) return role;
  // It needs little memory: of the service it loads nothing but what writes records, and that in a thread.
  const { createLog } = await import("../observability/log.ts");
  const { DrainHost } = await import("../store/write/spool/drain-host.ts");
  fitHeaps();
  const log = createLog(logLevel);
  process.exit(await runWorkers(workers, log, new DrainHost(log)));
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
