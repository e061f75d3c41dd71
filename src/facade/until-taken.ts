import type { Writable } from "node:stream";

/** Resolves when a client has taken what was written, or has gone; undefined where it can take more. */
export function untilTaken(stream: Writable): Promise<void> | undefined {
  if (stream.destroyed || !stream.writableNeedDrain) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
