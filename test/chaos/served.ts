import { readFileSync } from "node:fs";
import { untilServing } from "../support/banner.ts";
import type { CliFolder, RunningCli } from "../support/run-cli.ts";

/** A service in a process of its own. */
export interface Served {
  readonly url: string;
  /** Where its metrics are. */
  readonly adminUrl: string;
  readonly cli: RunningCli;
  /** Ends it as a machine does: at once, without a chance to write anything. */
  kill(): Promise<void>;
  /** Ends it as an operator does; resolves to its exit status. */
  end(): Promise<number | null>;
  /** What GET /readyz tells of what it depends on. */
  checks(): Promise<Readonly<Record<string, string>>>;
  /** A figure of GET /metrics that has no labels. */
  metric(name: string): Promise<number>;
  /** Resident memory in MiB. */
  residentMiB(): number;
}

/** Starts `attune serve` in a folder; resolves once it is ready for requests. */
export async function startServed(
  folder: CliFolder,
  environment: Readonly<Record<string, string>>,
  under?: readonly string[],
): Promise<Served> {
  const cli = folder.start(
    ["serve", "--log-level", "error"],
    { ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: "0", ...environment },
    under,
  );
  const { url, adminUrl } = await untilServing(cli);
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    cli.process.kill(signal);
    return (await cli.result).status;
  };
  return {
    url,
    adminUrl,
    cli,
    kill: async () => void (await stop("SIGKILL")),
    end: () => stop("SIGTERM"),
    async checks() {
      const answer = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, string> };
      return answer.checks;
    },
    async metric(name) {
      const page = await (await fetch(`${adminUrl}/metrics`)).text();
      const value = new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1];
      if (value === undefined) throw new Error(`there is no metric ${name}`);
      return Number(value);
    },
    residentMiB() {
      const status = readFileSync(`/proc/${cli.process.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
  };
}
