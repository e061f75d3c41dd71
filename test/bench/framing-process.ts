/** Answers with 64 chunks, each in a turn of the event loop: by node:http's own framing, or at `/ours` by StreamWriter. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamWriter } from "../../src/facade/stream-writer.ts";
import { answerReadings } from "./measured-process.ts";

const HEADERS = { "content-type": "text/event-stream; charset=utf-8" };
const CHUNKS = 64;

/** As long as a chunk of a chat is, and each another text: a text that is written twice would not be put together again. */
function chunk(at: number): string {
  const choice = `{"index":0,"delta":{"content":" word ${at}"},"finish_reason":null}`;
  return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"attune/bench","choices":[${choice}]}\n\n`;
}

function writerOf(raw: ServerResponse, isOurs: boolean): Pick<StreamWriter, "write" | "end"> {
  if (!isOurs) return raw.writeHead(200, HEADERS);
  const writer = new StreamWriter(raw);
  writer.open(HEADERS);
  return writer;
}

const server = createServer((request, raw) => {
  const writer = writerOf(raw, request.url === "/ours");
  let at = 0;
  const next = (): void => {
    writer.write(chunk(at++));
    if (at < CHUNKS) setImmediate(next);
    else writer.end();
  };
  next();
}).listen(0, "127.0.0.1");
await once(server, "listening");
answerReadings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
