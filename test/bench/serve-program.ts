import { join } from "node:path";
import { untilServing } from "../support/banner.ts";
import { createCliFolder } from "../support/run-cli.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { cpuMsOf, familyOf, rssMiBOf } from "./process-family.ts";
import { writeConfig } from "./write-config.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "scripts", "attune.mjs");

/**
 * Starts `attune serve --workers N` as users do, from the bundle; one process without workers where N is 0. What is
 * read of it is the sum over its processes, of which one only hands out connections; memory that they share counts for
 * each. Linux only.
 */
export async function startProgram(
  workers: number,
  config: { readonly upstream: string; readonly database?: string | undefined },
): Promise<MeasuredProcess> {
  const folder = createCliFolder(LAUNCHER);
  writeConfig({ ...config, folder: folder.path });
  const several = workers === 0 ? [] : ["--workers", String(workers)];
  const cli = folder.start(["serve", "--log-level", "error", "--print-secrets", ...several], memorySettings());
  const { url, key } = await untilServing(cli);
  const sum = (of: (pid: number) => number) =>
    familyOf(cli.process.pid ?? 0).reduce((total, pid) => total + of(pid), 0);
  return {
    url,
    key,
    read: async () => ({ cpuMicros: sum(cpuMsOf) * 1000, rssBytes: sum(rssMiBOf) * 1024 * 1024 }),
    async stop() {
      cli.process.kill("SIGTERM");
      await cli.result;
      await folder.remove();
    },
  };
}

/** What the environment of the bench says of memory: nothing else of it reaches a program of the tests. */
function memorySettings(): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(process.env)) {
    if (name === "NODE_OPTIONS" || name.startsWith("MALLOC_")) settings[name] = value;
  }
  return settings;
}
