/**
 * The upstream of the bench: Chat Completions, in the words of OpenAI's own answers. The same 64 tokens are one body
 * for who asks for a whole answer, and 64 chunks, each a write of its own, for who asks for a stream: as quickly as
 * they are read, or at the pace of a model (below /paced), or one, and no more for as long as its reader stays (below
 * /held).
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerReadings } from "./measured-process.ts";

const CHUNKS = 64;
const PIECE = "twenty bytes of text";
const head = {
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion.chunk",
  created: 1_800_000_000,
  model: "bench-2026-11-01",
  service_tier: "default",
  system_fingerprint: "fp_f7d0c0b1a2",
};
const usage = {
  prompt_tokens: 200,
  completion_tokens: CHUNKS,
  total_tokens: 200 + CHUNKS,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

function frame(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...head, choices, usage: null })}\n\n`;
}

const first = frame({ role: "assistant", content: "", refusal: null });
const piece = frame({ content: PIECE });
const last = `${frame({}, "stop")}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
const message = { role: "assistant", content: PIECE.repeat(CHUNKS), refusal: null, annotations: [] };
const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
  usage,
});

/** Milliseconds from a chunk to the next, as a model writes 50 tokens a second. */
const PACE_MS = 20;

/** One chunk each iteration of the event loop, as a model that is faster than its readers. */
function stream(response: ServerResponse, left: number): void {
  if (left === 0) return void response.end(last);
  response.write(piece);
  setImmediate(() => stream(response, left - 1));
}

function streamPaced(response: ServerResponse): void {
  let left = CHUNKS;
  const timer = setInterval(() => {
    response.write(piece);
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    response.end(last);
  }, PACE_MS);
  response.once("close", () => clearInterval(timer));
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { "content-type": "application/json", "content-length": whole.length }).end(whole);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(first);
    if (request.url?.startsWith("/paced/")) streamPaced(response);
    else if (request.url?.startsWith("/held/")) response.write(piece);
    else stream(response, CHUNKS);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => answerReadings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("SIGTERM", () => process.exit(0));
