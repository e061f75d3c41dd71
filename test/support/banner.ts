import type { RunningCli } from "./run-cli.ts";

/** How long a start may take on a machine that does much else. */
const START_TIMEOUT_MS = 60_000;

const KEY = /att_[0-9a-z]{12}_[0-9A-Za-z]{43}/;

/** What a started service told. */
export interface Banner {
  readonly url: string;
  /** Where metrics are; empty where they have no port of their own. */
  readonly adminUrl: string;
  /** The API key of a first start; empty at a later one. */
  readonly key: string;
}

/** Waits until `attune serve` has told all of its banner. Throws, with what it printed, when it ends before. */
export async function untilServing(cli: RunningCli): Promise<Banner> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!isComplete(cli.printed())) {
    if (performance.now() > deadline || cli.process.exitCode !== null) {
      cli.process.kill("SIGKILL");
      const { stderr } = await cli.result;
      throw new Error(`the service did not start: ${cli.printed()}${stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const printed = cli.printed();
  return {
    url: /address {3}(https?:\S+)\s/.exec(printed)?.[1] ?? "",
    adminUrl: /metrics {3}(http:\S+)\/metrics\s/.exec(printed)?.[1] ?? "",
    key: KEY.exec(printed)?.[0] ?? "",
  };
}

/** The last lines are a call that can be pasted. */
function isComplete(printed: string): boolean {
  return /\n {4}-d '.*'\n\n$/.test(printed);
}
