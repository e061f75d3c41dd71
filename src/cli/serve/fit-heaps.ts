import { setFlagsFromString } from "node:v8";

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
