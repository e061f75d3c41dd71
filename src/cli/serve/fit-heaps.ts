import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";

/** Node's name of the threads on which V8 compiles, and marks old objects. */
const HELPER = "V8Worker";
/** One that runs beside the thread that serves gets a tenth of a core that both need. */
const STEPS = 10;
const LOWEST_PRIORITY = 19;

/**
 * Lets the heaps of this process and its threads grow by two fifths between full collections, where V8 would double and
 * quadruple them: of what a request allocates, little lives on. Threads that begin from now on have smaller heaps than
 * this process has from its command line: half the room for new objects, and no first limit for old ones. A runtime
 * that does not know a flag says so, and goes on. A service holds 220 MiB so, and 253 without
 * (docs/decisions/0050-heaps.md).
 */
export function fitHeaps(): void {
  setFlagsFromString("--heap-growing-percent=40");
  setFlagsFromString("--initial-old-space-size=0");
  // There is none where the user has set it in NODE_OPTIONS: threads then have what that says.
  const [, room] = /--max-semi-space-size=(\d+)/.exec(process.execArgv.join(" ")) ?? [];
  if (room !== undefined) setFlagsFromString(`--max-semi-space-size=${Number(room) / 2}`);
}

/**
 * Lets V8's helping threads have what the thread that serves leaves of a core: while a new process warms up there are
 * four of them, and each would take as much as it does. p99 of the first 500 requests on one core is 193 ms so, and 536
 * without (docs/notes/heaps.md). Linux only: elsewhere Node knows no priority of a thread.
 */
export function lowerCompilers(): void {
  if (process.platform !== "linux") return;
  const priority = Math.min(LOWEST_PRIORITY, getPriority() + STEPS);
  try {
    for (const thread of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim();
      if (name === HELPER) setPriority(Number(thread), priority);
    }
  } catch {
    // Without /proc, or where a thread has just ended, a start is slower, and nothing else.
  }
}
