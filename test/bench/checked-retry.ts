/**
 * Measures what retry by check gains and costs: a model of which 60% of the answers are JSON is asked for JSON by a schema, over HTTP, in the
 * three formats, whole and streamed. Usage: node test/bench/checked-retry.ts
 */
import { randomOf } from "../../src/routing/hash.ts";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService } from "../support/service.ts";
import { FRAMES, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

const ASKED = 100;
const VALID = 0.6;
const CALL_MS = 40;
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const ASKING: Readonly<Record<UpstreamKind, readonly [path: string, body: object]>> = {
  chat: [
    "/v1/chat/completions",
    {
      messages: [{ role: "user", content: "x" }],
      response_format: { type: "json_schema", json_schema: { name: "s", schema: SCHEMA } },
    },
  ],
  responses: ["/v1/responses", { input: "x", text: { format: { type: "json_schema", name: "s", schema: SCHEMA } } }],
  messages: [
    "/v1/messages",
    {
      max_tokens: 100,
      messages: [{ role: "user", content: "x" }],
      output_config: { format: { type: "json_schema", schema: SCHEMA } },
    },
  ],
};

const upstream = await startScriptedUpstream();
let random = randomOf("valid");
upstream.answerBy((path, body) => {
  const kind = UPSTREAM_KINDS.find((each) => path.startsWith(`/${each}`)) ?? "chat";
  const scenario = random() < VALID ? "json" : "text";
  const wait = { waitMs: CALL_MS };
  if ((JSON.parse(body) as { stream?: boolean }).stream) return { steps: [wait, ...FRAMES[kind][scenario]] };
  const whole = wholeAnswer(WHOLES[kind][scenario]);
  return { ...whole, steps: [wait, ...whole.steps] };
});
const service = await startTestService({ yaml: yaml(upstream.url) });

console.log(
  "| format | way | | right | calls for each | micro-USD for each | first byte p50 / p95 ms | whole p50 / p95 ms |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const format of UPSTREAM_KINDS) {
  for (const stream of [false, true]) {
    for (const setting of ["off", "on"]) console.log(await measure(format, stream, setting));
  }
}
await service.close();
await upstream.close();

async function measure(format: UpstreamKind, stream: boolean, setting: string): Promise<string> {
  random = randomOf("valid");
  upstream.received.length = 0;
  const nanosBefore = await readCost();
  const [firsts, wholes]: [number[], number[]] = [[], []];
  let right = 0;
  for (let count = 0; count < ASKED; count++) {
    const { firstMs, wholeMs, isRight } = await ask(format, `${format}-${setting}`, stream);
    firsts.push(firstMs);
    wholes.push(wholeMs);
    if (isRight) right += 1;
  }
  const microUsd = ((await readCost()) - nanosBefore) / ASKED / 1000;
  return `| ${[
    ...[format, stream ? "streamed" : "whole", setting === "on" ? "retry by check" : "single"],
    ...[`${Math.round((100 * right) / ASKED)}%`, (upstream.received.length / ASKED).toFixed(2), microUsd.toFixed(0)],
    ...[timesOf(firsts), timesOf(wholes)],
  ].join(" | ")} |`;
}

async function ask(format: UpstreamKind, model: string, stream: boolean) {
  const [path, body] = ASKING[format];
  const startMs = performance.now();
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: service.headers,
    body: JSON.stringify({ model: `attune/${model}`, ...body, stream }),
  });
  let text = "";
  let firstMs = 0;
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    firstMs ||= performance.now() - startMs;
    text += decoder.decode(bytes, { stream: true });
  }
  // The answers are known: only the one in JSON has a number of degrees.
  return { firstMs, wholeMs: performance.now() - startMs, isRight: text.includes("degrees") };
}

function timesOf(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.95].map((part) => (sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(0)).join(" / ");
}

async function readCost(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return [...text.matchAll(/^attune_cost_nano_usd_total\{.*\} (\S+)$/gm)].reduce(
    (sum, [, nanos]) => sum + Number(nanos),
    0,
  );
}

function yaml(url: string): string {
  const model = (kind: UpstreamKind, setting: string): string => `
  - name: ${kind}-${setting}
    family: messages
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    optimizations: { checkedRetry: ${setting} }
    deployments: [ { upstream: ${kind}, model: real } ]`;
  return `
routing: { retryShare: 1 }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/chat/v1" }
  responses: { kind: openai-responses, baseUrl: "${url}/responses/v1" }
  messages: { kind: anthropic-messages, baseUrl: "${url}/messages" }
models:${UPSTREAM_KINDS.flatMap((kind) => ["off", "on"].map((setting) => model(kind, setting))).join("")}
`;
}
