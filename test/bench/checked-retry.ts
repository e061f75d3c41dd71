/**
 * Measures what retry by check and the best of two answers gain and cost: a model of which 60% of the answers are JSON
 * is asked for JSON by a schema, over HTTP, in the three formats, whole and streamed. Usage: node
 * test/bench/checked-retry.ts
 */
import { createRandom } from "../../src/lib/hash.ts";
import { answerChecked, checkedModels, forSchema } from "../support/checked-models.ts";
import { quantile } from "../support/quantile.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { bodyOf, PATH } from "../support/sdk-calls.ts";
import { startTestService } from "../support/service.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

const ASKED = 100;
const VALID = 0.6;
const CALL_MS = 40;
/** How it is asked: by the model's setting, and for so many answers. */
const WAYS = {
  single: { setting: "off", candidates: 1 },
  "retry by check": { setting: "on", candidates: 1 },
  "best of two": { setting: "off", candidates: 2 },
} as const;
type Way = keyof typeof WAYS;
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const upstream = await startScriptedUpstream();
let random = createRandom("valid");
upstream.answerBy((path, body) => answerChecked(path, body, () => (random() < VALID ? "json" : "text"), CALL_MS));
const service = await startTestService({ yaml: checkedModels(upstream.url, ["off", "on"]) });

console.log(
  "| format | way | | right | calls for each | micro-USD for each | first byte p50 / p95 ms | whole p50 / p95 ms |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const format of UPSTREAM_KINDS) {
  for (const stream of [false, true]) {
    for (const way of Object.keys(WAYS) as Way[]) console.log(await measure(format, stream, way));
  }
}
await service.close();
await upstream.close();

async function measure(format: UpstreamKind, stream: boolean, way: Way): Promise<string> {
  random = createRandom("valid");
  upstream.received.length = 0;
  const nanosBefore = await readCost();
  const [firsts, wholes]: [number[], number[]] = [[], []];
  let right = 0;
  for (let count = 0; count < ASKED; count++) {
    const { firstMs, wholeMs, isRight } = await ask(format, way, stream);
    firsts.push(firstMs);
    wholes.push(wholeMs);
    if (isRight) right += 1;
  }
  const microUsd = ((await readCost()) - nanosBefore) / ASKED / 1000;
  return `| ${[
    ...[format, stream ? "streamed" : "whole", way],
    ...[`${Math.round((100 * right) / ASKED)}%`, (upstream.received.length / ASKED).toFixed(2), microUsd.toFixed(0)],
    ...[timesOf(firsts), timesOf(wholes)],
  ].join(" | ")} |`;
}

async function ask(format: UpstreamKind, way: Way, stream: boolean) {
  const { setting, candidates } = WAYS[way];
  const model = `attune/${format}-${setting}`;
  const startMs = performance.now();
  const response = await fetch(`${service.url}${PATH[format]}`, {
    method: "POST",
    headers: { ...service.headers, "attune-candidates": `${candidates}` },
    body: JSON.stringify({ ...bodyOf(format, model), ...forSchema(format, SCHEMA), stream }),
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
  return [0.5, 0.95].map((share) => quantile(times, share).toFixed(0)).join(" / ");
}

async function readCost(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return [...text.matchAll(/^attune_cost_nano_usd_total\{.*\} (\S+)$/gm)].reduce(
    (sum, [, nanos]) => sum + Number(nanos),
    0,
  );
}
