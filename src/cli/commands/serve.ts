import { availableParallelism } from "node:os";
import type { WorkerRole } from "../../workers/run-workers.ts";
import { WORKER_VARIABLE } from "../../workers/worker.ts";
import { choice, defineRootCommand, flag, option, UsageError, type ValuesOf, withPreset } from "../command.ts";
import { fitHeaps } from "../serve/fit-heaps.ts";

const MAX_WAIT_SECONDS = 86_400;
const MAX_WORKERS = 256;

const HELP = `
ATTUNE_OWNER_EMAIL and ATTUNE_OWNER_PASSWORD_FILE create the first account of the dashboard if there is none. See
docs/operations.md.`;

const OPTIONS = {
  logLevel: withPreset(choice("level", "minimum log level", ["silent", "error", "warn", "info", "debug"]), "info"),
  logFormat: withPreset(
    choice("format", "log format; auto: text at a terminal, JSON elsewhere", ["auto", "json", "text"]),
    "auto",
  ),
  databaseWait: withPreset(option("seconds", "how long to wait for an unreachable database", readSeconds), 30),
  workers: {
    ...withPreset(option("number", "processes that share the port; auto: one per processor", readWorkers), 1),
    env: "ATTUNE_WORKERS",
  },
  printSecrets: flag("print the first API key and the dashboard's setup link even if stdout isn't a terminal"),
  discover: flag(
    "without a configuration: find Ollama, LM Studio, llama.cpp, vLLM, SGLang and TGI on this host, and write an " +
      "attune.yaml that serves their models",
  ),
};

/** `attune serve`. */
export const serve = defineRootCommand({
  options: OPTIONS,
  help: HELP,
  examples: ["attune serve", "attune serve --workers auto --log-format json"],
  async run(options) {
    const isWorker = process.env[WORKER_VARIABLE] !== undefined;
    // What started the workers has looked.
    if (!isWorker) {
      const { offerLocalServers } = await import("../serve/offer-local-servers.ts");
      await offerLocalServers({ isWanted: options.discover });
    }
    const role = options.workers === 1 && !isWorker ? undefined : await findRole(options);
    const { start } = await import("../serve/start.ts");
    await start(options, role);
  },
});

/** Returns what this process is among several; one that no other has started starts them all, and ends with them. */
async function findRole({ workers, logLevel, logFormat }: ValuesOf<typeof OPTIONS>): Promise<WorkerRole | undefined> {
  const { runWorkers, workerRole } = await import("../../workers/run-workers.ts");
  const role = workerRole();
  if (role !== undefined || workers === 1) return role;
  // It needs little memory: of the service it loads nothing but what writes records, and that in a thread.
  const { createLog } = await import("../../observability/log.ts");
  const { DrainHost } = await import("../../store/write/spool/drain-host.ts");
  fitHeaps();
  const log = createLog(logLevel, logFormat);
  process.exit(await runWorkers(workers, log, new DrainHost(log)));
}

function readWorkers(text: string): number {
  if (text === "auto") return availableParallelism();
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MAX_WORKERS) return number;
  throw new UsageError(`must be auto or a whole number from 1 to ${MAX_WORKERS}`);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new UsageError(`must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
}
