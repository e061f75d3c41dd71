import { setFlagsFromString } from "node:v8";

/**
 * Lets the heaps of this process and its threads grow by two fifths between full collections, where V8 would double and quadruple
 * them: of what a request allocates, little lives on. Threads that begin from now on have smaller heaps than this one: less room for new objects, unless the
 * user has set it, and not the first limit that this process has from its command line. A runtime that does not know a flag says so, and goes on.
 * docs/decisions/0050-heaps.md has the measurements.
 */
export function fitHeaps(environment: NodeJS.ProcessEnv): void {
  setFlagsFromString("--heap-growing-percent=40");
  setFlagsFromString("--initial-old-space-size=0");
  if (!/semi[-_]space/.test(environment["NODE_OPTIONS"] ?? "")) setFlagsFromString("--max-semi-space-size=4");
}
