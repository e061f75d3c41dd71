import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Counts the bytes that this process has in use once its garbage is collected: of objects, and of buffers. */
export function usedBytes(): { readonly all: number; readonly buffers: number } {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this version of Node lets nobody collect garbage");
  // The second time takes what finalizers of the first have let go.
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { all: heapUsed + external, buffers: arrayBuffers };
}
