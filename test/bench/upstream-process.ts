/** The upstream of the bench: Chat Completions, whole or as 64 chunks of which each is one write of its own. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerReadings } from "./measured-process.ts";

const CHUNKS = 64;
const head = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1, model: "bench" };
const usage = { prompt_tokens: 200, completion_tokens: CHUNKS, total_tokens: 200 + CHUNKS };

function frame(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const first = frame({ role: "assistant", content: "" });
const piece = frame({ content: "twenty bytes of text" });
const last = `${frame({}, "stop")}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "twenty bytes of text" }, finish_reason: "stop" }],
  usage,
});

/** One chunk each turn of the event loop, as a model that is faster than its readers. */
function stream(response: ServerResponse, left: number): void {
  if (left === 0) return void response.end(last);
  response.write(piece);
  setImmediate(() => stream(response, left - 1));
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    const isLong = body.includes("bench-long");
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { "content-type": "application/json", "content-length": whole.length }).end(whole);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (!isLong) return void response.end(first + piece + last);
    response.write(first);
    stream(response, CHUNKS);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => answerReadings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("SIGTERM", () => process.exit(0));
