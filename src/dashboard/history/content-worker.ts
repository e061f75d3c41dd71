/** The thread that writes large bodies as JSON: that would hold up the requests for as long as it takes. */
import { parentPort } from "node:worker_threads";
import type { EncodedContent } from "../../store/types/inference-body.ts";
import { contentJson } from "./content-json.ts";

const port = parentPort;
if (port === null) throw new Error("content-worker.ts runs in a thread");

port.on("message", (content: EncodedContent) => {
  const bytes = new TextEncoder().encode(contentJson(content));
  port.postMessage(bytes, [bytes.buffer]);
});
