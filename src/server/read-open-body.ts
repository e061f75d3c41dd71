import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { rejectOnAbort } from "../rpc/call-signal.ts";

/** Most bytes that a call without a key may send, in all. */
export const MAX_OPEN_BYTES = 65_536;

/** The time that such a call may be silent. */
const IDLE_MS = 30_000;
const TOTAL_MS = 300_000;

/**
 * Reads the body of a call without a key as it comes: its sender may wait for answers between its messages. Throws
 * RESOURCE_EXHAUSTED for more than 64 KiB, DEADLINE_EXCEEDED after 30 s of silence or 300 s in all, and the reason of
 * `closing`.
 */
export async function* readOpenBody(raw: IncomingMessage, closing: AbortSignal): AsyncGenerator<Uint8Array> {
  const endMs = performance.now() + TOTAL_MS;
  // The answer goes out on the same stream.
  const chunks = raw.iterator({ destroyOnReturn: false });
  let bytes = 0;
  for (;;) {
    const next = await rejectOnAbort(nextWithin(chunks, Math.min(IDLE_MS, endMs - performance.now())), closing);
    if (next.done === true) return;
    bytes += next.value.length;
    if (bytes > MAX_OPEN_BYTES) {
      throw new ConnectError(`a call of this method may send ${MAX_OPEN_BYTES} bytes`, Code.ResourceExhausted);
    }
    yield next.value;
  }
}

async function nextWithin(chunks: AsyncIterator<Uint8Array>, ms: number): Promise<IteratorResult<Uint8Array>> {
  const late = new AbortController();
  const problem = new ConnectError("no more of the request came in time", Code.DeadlineExceeded);
  const timer = setTimeout(() => late.abort(problem), Math.max(0, ms));
  try {
    return await rejectOnAbort(chunks.next(), late.signal);
  } catch (thrown) {
    if (thrown === problem) throw thrown;
    throw new ConnectError("the client disconnected", Code.Canceled, undefined, undefined, thrown);
  } finally {
    clearTimeout(timer);
  }
}
