import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { loadTokenizer } from "../../src/hub/tokens/tokenizer.ts";

/** What an upstream does with a request. It counts prompts in o200k, and makes 80 tokens a second after 200 ms. */
export interface Script {
  /** The time in which it makes tokens that nobody sees. */
  readonly hiddenMs?: number;
  /** Tokens that it then writes, one each 2 ms. */
  readonly says?: number;
  /** Says a grade in place of so many words, in answers that are not streamed. */
  readonly grades?: "good" | "bad";
  /** Sends a first event without text at once. */
  readonly begins?: boolean;
  /**
   * Breaks off before it answers (`worn` where the connection was used before, and `restarts` refuses elsewhere), refuses,
   * breaks off in the middle of the text, says nothing more there, or ends with what nobody can read.
   */
  readonly ends?: "reset" | "worn" | "restarts" | "refused" | "cut" | "stalled" | "garbled";
}

/** What one request cost, as the upstream counts it. */
export interface MeteredCall {
  readonly way: string;
  /** The first part of the path. */
  readonly place: string;
  readonly input: number;
  output: number;
}

/** A server of the Chat format and of embeddings that counts what it was asked and what it made, whoever leaves. */
export interface MeteredUpstream {
  readonly url: string;
  readonly calls: MeteredCall[];
  close(): void;
}

const WORD = " word";
const gradeOf = (grade: string) => JSON.stringify({ satisfactory: grade === "good", reason: "It says so itself." });
/** Tokens of a prompt, and those of them that the chat form of o200k puts around its message. */
const [PROMPT_TOKENS, FRAME_TOKENS] = [400, 4];
/** Each word is one token behind a space. */
const PROSE = "the harbor was quiet when the first boats came back and nobody asked how long the night had been".split(
  " ",
);

/** Returns a prompt of 400 tokens that tells the upstream at each path what to do, and goes on in English. */
export async function scriptedPrompt(way: string, scripts: Readonly<Record<string, Script>>): Promise<string> {
  const { count } = await loadTokenizer();
  const order = `${JSON.stringify({ way, scripts })}\n`;
  const words = PROMPT_TOKENS - FRAME_TOKENS - count(order);
  return order + Array.from({ length: words }, (_, at) => ` ${PROSE[at % PROSE.length]}`).join("");
}

export async function startMeteredUpstream(): Promise<MeteredUpstream> {
  const calls: MeteredCall[] = [];
  const used = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    const isUsed = used.has(request.socket);
    used.add(request.socket);
    serve(request, response, { calls, isUsed }).catch(() => response.destroy());
  });
  // On a busy machine a minute may lie between two calls that are to share a connection.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { calls, isUsed }: { readonly calls: MeteredCall[]; readonly isUsed: boolean },
): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { messages = [], input: texts, stream = false } = JSON.parse(body) as Asked;
  const { count } = await loadTokenizer();
  const isEmbedding = texts !== undefined;
  const contents = texts === undefined ? messages.map(({ content }) => content) : [texts].flat();
  const input = contents.reduce((tokens, content) => tokens + (isEmbedding ? 0 : FRAME_TOKENS) + count(content), 0);
  const { way, scripts } = orderIn(contents);
  const place = request.url?.split("/")[1] ?? "";
  const { ends: told, ...script } = scripts[place] ?? {};
  const ends = told === "worn" || told === "restarts" ? (isUsed ? "reset" : UNUSED[told]) : told;
  if (ends === "refused") return void response.writeHead(500).end("{}");
  const call: MeteredCall = { way, place, input, output: 0 };
  calls.push(call);
  await make({ call, script: { ...script, ...(ends && { ends }) }, stream, isEmbedding, response });
}

/** What becomes of requests on connections that were not used before. */
const UNUSED = { worn: undefined, restarts: "refused" } as const;

/** Returns the order in the last text that has one: its first line, or what a judge is shown of it as JSON. */
function orderIn(contents: readonly string[]): Order {
  const found = contents.map((text) => /(\{"way":.*?\})(?:\n|\\n)/.exec(text.replaceAll('\\"', '"'))?.[1]);
  const line = found.findLast((order) => order !== undefined) ?? "{}";
  return { way: "", scripts: {}, ...(JSON.parse(line) as Partial<Order>) };
}

interface Asked {
  readonly messages?: readonly { readonly content: string }[];
  readonly input?: string | readonly string[];
  readonly stream?: boolean;
}

interface Order {
  readonly way: string;
  readonly scripts: Readonly<Record<string, Script>>;
}

interface Making {
  readonly call: MeteredCall;
  readonly script: Script;
  readonly stream: boolean;
  readonly isEmbedding: boolean;
  readonly response: ServerResponse;
}

async function make({ call, script, stream, isEmbedding, response }: Making): Promise<void> {
  const { hiddenMs = 0, begins = false, ends, grades } = script;
  const { count } = await loadTokenizer();
  const says = isEmbedding ? 0 : grades ? count(gradeOf(grades)) : (script.says ?? 10);
  const send = (delta: object): void => void response.write(`data: ${JSON.stringify(chunk(delta))}\n\n`);
  if (stream) response.writeHead(200, { "content-type": "text/event-stream" });
  if (stream && begins) send({ role: "assistant", content: "" });
  else if (stream) response.flushHeaders();
  const startMs = performance.now();
  while (performance.now() - startMs < hiddenMs && !response.destroyed) {
    await delay(5);
    if (!isEmbedding) call.output = Math.floor(Math.max(0, performance.now() - startMs - 200) * 0.08);
  }
  if (ends === "reset") return void response.destroy();
  const hidden = call.output;
  const middle = ends === undefined ? says : Math.ceil(says / 2);
  for (let said = 0; said < middle && !response.destroyed; said++) {
    call.output += 1;
    if (!stream) continue;
    send({ content: WORD });
    await delay(2);
  }
  if (response.destroyed) return;
  if (ends !== undefined) return endBadly(ends, { stream, response });
  const completion_tokens_details = { reasoning_tokens: hidden };
  const usage = { prompt_tokens: call.input, completion_tokens: call.output, completion_tokens_details };
  if (stream) {
    response.write(`data: ${JSON.stringify({ ...chunk({}, "stop"), usage })}\n\n`);
    return void response.end("data: [DONE]\n\n");
  }
  response.writeHead(200, { "content-type": "application/json" });
  if (isEmbedding) {
    const data = [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }];
    const told = { prompt_tokens: call.input, total_tokens: call.input };
    return void response.end(JSON.stringify({ object: "list", model: "m", data, usage: told }));
  }
  const message = { role: "assistant", content: grades ? gradeOf(grades) : WORD.repeat(says) };
  const choices = [{ index: 0, finish_reason: "stop", message }];
  response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
}

/** Ends an answer in its middle. */
function endBadly(
  ends: NonNullable<Script["ends"]>,
  { stream, response }: { readonly stream: boolean; readonly response: ServerResponse },
): void {
  const garbled = '{"id":"c","choices":[{';
  if (!stream) response.writeHead(200, { "content-type": "application/json", "content-length": garbled.length + 8 });
  if (ends === "cut") return void response.write(stream ? ":\n\n" : garbled, () => response.destroy());
  if (ends === "garbled") return void response.end(stream ? `data: ${garbled}\n\n` : `${garbled} no JSON`);
  if (!stream) response.write(garbled);
}

function chunk(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }];
  return { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
}
