import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { buildPlaces, findBuilt } from "./build-places.ts";

/** The progress of building the dashboard's pages. */
export type BuildState =
  | { readonly kind: "building" }
  | { readonly kind: "ready"; readonly folder: string }
  | { readonly kind: "failed"; readonly message: string };

/** The pages of the dashboard, as they are built. */
export interface DashboardBuild {
  readonly state: BuildState;
  /** Resolves once they are built, or could not be. */
  readonly done: Promise<void>;
  /** Stops building. */
  close(): void;
}

const PROGRAM = join(import.meta.dirname, "build-process.ts");

/** Most of a failed build's output that is told. */
const MAX_MESSAGE_LENGTH = 4000;

/**
 * Finds the pages that were built from these sources, or builds them in a process of its own, so that its memory is
 * given back and the service goes on meanwhile. `report` takes a line of progress for people.
 */
export function startDashboardBuild(report: (line: string) => void): DashboardBuild {
  const built = findBuilt();
  if (built !== undefined) return finished({ kind: "ready", folder: built });
  const begin = performance.now();
  let state: BuildState = { kind: "building" };
  report("Building the dashboard; this happens once for each version and takes a few seconds.");
  const child = spawn(process.execPath, [PROGRAM, ...buildPlaces()], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const done = awaitOutcome(child).then((outcome) => {
    state = outcome;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    report(
      outcome.kind === "ready"
        ? `The dashboard is built (${seconds} s).`
        : "The dashboard could not be built; the API works anyway. /dashboard shows the reason.",
    );
  });
  return {
    get state() {
      return state;
    },
    done,
    close: () => child.kill(),
  };
}

/** Creates pages that are built, or failed to be. */
export function finished(state: Exclude<BuildState, { kind: "building" }>): DashboardBuild {
  return { state, done: Promise.resolve(), close() {} };
}

function awaitOutcome(child: ChildProcess): Promise<Exclude<BuildState, { kind: "building" }>> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MAX_MESSAGE_LENGTH);
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ kind: "failed", message: error.message }));
    child.once("close", (status) => {
      const folder = status === 0 ? findBuilt() : undefined;
      const reason = status === 0 ? "its sources changed during the build" : `the build ended with status ${status}`;
      resolve(folder === undefined ? { kind: "failed", message: output.trim() || reason } : { kind: "ready", folder });
    });
  });
}
