/**
 * Measures what a webhook adds to an answer: a model of which 60% of the answers are JSON is asked for a text over
 * HTTP, and a webhook on the same machine lets JSON pass; it answers at once, takes 20 ms, or does not answer at all.
 * Usage: node test/bench/webhook-checks.ts
 */
import { createRandom } from "../../src/lib/hash.ts";
import { askInFormat } from "../support/ask-in-format.ts";
import { answerChecked, checkedModel, checkedModels } from "../support/checked-models.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService } from "../support/service.ts";
import { JSON_TEXT } from "../support/upstream-frames.ts";

const ASKED = 200;
const VALID = 0.6;
const CALL_MS = 40;
const DEADLINE_MS = 500;
/** What the webhook does, by the path that it is asked at; an answer without a rule is given as it is. */
const WAYS = { "no webhook": "", "answers at once": "now", "takes 20 ms": "slow", "does not answer": "never" } as const;
type Way = keyof typeof WAYS;

const upstream = await startScriptedUpstream();
let random = createRandom("valid");
upstream.answerBy((path, body) => answerChecked(path, body, () => (random() < VALID ? "json" : "text"), CALL_MS));
const hook = await startScriptedUpstream();
hook.answerBy((path, body) => {
  if (path === "/never") return { steps: [], hang: true };
  const said = JSON.stringify({ pass: JSON.parse(body).answer.text === JSON_TEXT });
  return { steps: path === "/slow" ? [{ waitMs: 20 }, said] : [said] };
});
const rules = Object.values(WAYS)
  .filter((path) => path !== "")
  .map(
    (path) =>
      `      - { workload: ${path}, webhook: { url: "${hook.url}/${path}", deadlineMs: ${DEADLINE_MS}, secret: a-secret-of-a-bench } }\n`,
  );
const yaml = `${checkedModels(upstream.url, [])}${checkedModel("chat", "on")}\n    checks:\n${rules.join("")}`;
const service = await startTestService({ yaml });

console.log("| webhook | right | calls for each | asked of it | whole p50 / p95 / longest ms |");
console.log("| --- | --- | --- | --- | --- |");
for (const way of Object.keys(WAYS) as Way[]) console.log(await measure(way));
await service.close();
await upstream.close();
await hook.close();

async function measure(way: Way): Promise<string> {
  random = createRandom("valid");
  upstream.received.length = 0;
  hook.received.length = 0;
  const times: number[] = [];
  let right = 0;
  for (let count = 0; count < ASKED; count++) {
    const headers = { "attune-workload": WAYS[way] };
    const { tookMs, text } = await askInFormat(service, { format: "chat", model: "chat-on", members: {}, headers });
    times.push(tookMs);
    if (text === JSON_TEXT) right += 1;
  }
  times.sort((a, b) => a - b);
  const shown = [times[ASKED / 2], times[0.95 * ASKED], times.at(-1)].map((ms) => (ms ?? 0).toFixed(0));
  const calls = (upstream.received.length / ASKED).toFixed(2);
  return `| ${[way, `${Math.round((100 * right) / ASKED)}%`, calls, hook.received.length, shown.join(" / ")].join(" | ")} |`;
}
