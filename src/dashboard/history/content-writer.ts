import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type EncodedContent, expandBody } from "../../store/types/inference-body.ts";
import { contentJson } from "./content-json.ts";

/** Bodies of so many bytes, not compressed, are written in a thread of their own: here they would take some ten milliseconds. */
const THREAD_FROM_BYTES = 128 * 1024;

/** Writes the bodies of one export, one after another. */
export class ContentWriter {
  #worker: Worker | undefined;

  /** Writes the members `request` and `answer` of a line. Rejects for bodies that this version cannot decode. */
  async write(content: EncodedContent): Promise<string | Uint8Array> {
    const [request, response] = [await expandBody(content.request), await expandBody(content.response)];
    if (request.length + response.length < THREAD_FROM_BYTES) return contentJson({ request, response });
    this.#worker ??= new Worker(new URL("./content-worker.ts", import.meta.url));
    // A thread that fails rejects this, and is not used again: the export ends.
    const written = once(this.#worker, "message");
    this.#worker.postMessage({ request, response });
    const [bytes] = await written;
    return bytes as Uint8Array;
  }

  /** Ends the thread, if there is one. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
