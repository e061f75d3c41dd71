import { setFlagsFromString } from "node:v8";

/**
 * Lets the heaps of this process and its threads grow by two fifths between full collections, where V8 would double and quadruple
 * them: of what a request allocates, little lives on. A runtime that does not know the flag says so, and goes on.
 */
export function slowHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=40");
}
