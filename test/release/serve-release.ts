import { type ChildProcess, spawn } from "node:child_process";
import { vi } from "vitest";
import { PATIENCE } from "../support/patience.ts";

export const KEY = "att_fresh_0123456789abcdef0123456789abcdef";

/** A release that serves. */
export interface ServedRelease {
  /** From the start of the process until it says that it is ready. */
  readonly startMs: number;
  readonly printed: () => string;
  /** Ends it as a platform does, and returns its status. */
  stop(): Promise<number | null>;
}

/** Runs a command that serves at a port; resolves once it is ready. */
export async function serveRelease(
  [command = "", ...args]: readonly string[],
  { port, limitMs, ...options }: { port: number; limitMs?: number; env?: NodeJS.ProcessEnv; cwd?: string },
): Promise<ServedRelease> {
  const began = performance.now();
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`it has ended: ${printed}`);
    return await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  try {
    await vi.waitUntil(isReady, { ...PATIENCE, ...(limitMs !== undefined && { timeout: limitMs }) });
  } catch (thrown) {
    endGroup(child, "SIGKILL");
    throw new Error(`it does not serve: ${printed}`, { cause: thrown });
  }
  return { startMs: performance.now() - began, printed: () => printed, stop: () => stop(child) };
}

function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  endGroup(child, "SIGTERM");
  return ended;
}

/** The command may have started others: npx, unshare. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}
