import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { loadTokenizer } from "../../src/hub/tokens/tokenizer.ts";

/** What an upstream does with a request. It counts prompts in o200k, and makes 80 tokens a second after 200 ms. */
export interface Script {
  /** The time in which it makes tokens that nobody sees. */
  readonly hiddenMs?: number;
  /** Tokens that it then writes, one each 2 ms. */
  readonly says?: number;
  /** Sends a first event without text at once. */
  readonly begins?: boolean;
  readonly ends?: "reset" | "refused";
}

/** What one request cost, as the upstream counts it. */
export interface MeteredCall {
  readonly way: string;
  readonly input: number;
  output: number;
}

/** A server of the Chat format that counts what it was asked and what it made, whoever leaves. */
export interface MeteredUpstream {
  readonly url: string;
  readonly calls: MeteredCall[];
  close(): void;
}

const WORD = " word";
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
  const server = createServer((request, response) => {
    serve(request, response, calls).catch(() => response.destroy());
  });
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

async function serve(request: IncomingMessage, response: ServerResponse, calls: MeteredCall[]): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { messages, stream = false } = JSON.parse(body) as { messages: { content: string }[]; stream?: boolean };
  const { count } = await loadTokenizer();
  const input = messages.reduce((tokens, { content }) => tokens + FRAME_TOKENS + count(content), 0);
  const { way, scripts } = JSON.parse(messages.at(-1)?.content.split("\n")[0] ?? "{}") as Order;
  const script = scripts[request.url?.split("/")[1] ?? ""] ?? {};
  if (script.ends === "refused") return void response.writeHead(500).end("{}");
  const call: MeteredCall = { way, input, output: 0 };
  calls.push(call);
  await make({ call, script, stream, response });
}

interface Order {
  readonly way: string;
  readonly scripts: Readonly<Record<string, Script>>;
}

interface Making {
  readonly call: MeteredCall;
  readonly script: Script;
  readonly stream: boolean;
  readonly response: ServerResponse;
}

async function make({ call, script, stream, response }: Making): Promise<void> {
  const { hiddenMs = 0, says = 10, begins = false, ends } = script;
  const send = (delta: object): void => void response.write(`data: ${JSON.stringify(chunk(delta))}\n\n`);
  if (stream) response.writeHead(200, { "content-type": "text/event-stream" });
  if (stream && begins) send({ role: "assistant", content: "" });
  else if (stream) response.flushHeaders();
  const startMs = performance.now();
  while (performance.now() - startMs < hiddenMs && !response.destroyed) {
    await delay(5);
    call.output = Math.floor(Math.max(0, performance.now() - startMs - 200) * 0.08);
  }
  if (ends === "reset") return void response.destroy();
  const hidden = call.output;
  for (let said = 0; said < says && !response.destroyed; said++) {
    call.output += 1;
    if (!stream) continue;
    send({ content: WORD });
    await delay(2);
  }
  if (response.destroyed) return;
  const completion_tokens_details = { reasoning_tokens: hidden };
  const usage = { prompt_tokens: call.input, completion_tokens: call.output, completion_tokens_details };
  if (stream) {
    response.write(`data: ${JSON.stringify({ ...chunk({}, "stop"), usage })}\n\n`);
    return void response.end("data: [DONE]\n\n");
  }
  const message = { role: "assistant", content: WORD.repeat(says) };
  const choices = [{ index: 0, finish_reason: "stop", message }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
}

function chunk(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }];
  return { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
}
