import { createHmac } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAttempts } from "../../src/store/dashboard/reads/read-attempts.ts";
import { type Asked, askInFormat, FORMATS_AND_WAYS, idOf, withTool } from "../support/ask-in-format.ts";
import { answerChecked, checkedModel, checkedModels, forSchema } from "../support/checked-models.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import {
  type Answer,
  type Received,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { bodyOf, PATH } from "../support/sdk-calls.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { JSON_TEXT, type Scenario, TEXT, UPSTREAM_KINDS } from "../support/upstream-frames.ts";

const SECRET = "a-secret-of-this-test";

let upstream: ScriptedUpstream;
let hook: ScriptedUpstream;
let service: TestService;
/** What the model says next; the last one repeats. */
let script: Scenario[] = [];
/** What the webhook of the workload `judged` says of a text. */
let judged: (text: string) => Answer;

const PASS = wholeAnswer('{"pass":true}');
const FAIL = wholeAnswer('{"pass":false,"reason":"not enough"}');
const HANG: Answer = { steps: [], hang: true };

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  hook = await startScriptedUpstream();
  upstream.answerBy((path, body) =>
    answerChecked(path, body, () => (script.length > 1 ? script.shift() : script[0]) ?? "text"),
  );
  hook.answerBy((path, body) => {
    if (path === "/down") return { ...PASS, status: 503 };
    return path === "/slow" ? HANG : judged(JSON.parse(body).answer.text);
  });
  service = await startTestService({ yaml: yaml(), heartbeatMs: 40 });
});
beforeEach(() => {
  script = [];
  judged = (text) => (text === JSON_TEXT ? PASS : FAIL);
  upstream.received.length = 0;
  hook.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  await hook.close();
});

const ask = ({ headers, ...asked }: Omit<Asked, "members"> & Partial<Asked>, workload = "judged") =>
  askInFormat(service, { members: {}, ...asked, headers: { "attune-workload": workload, ...headers } });

async function attemptsOf(body: string) {
  const { row } = await readWhenWritten(service.store, idOf(body));
  return (await readAttempts(service.store, [row.id])).get(row.id) ?? [];
}

/** What a webhook was sent, whose signature is right. */
function opened({ headers, body }: Received): Record<string, unknown> {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = createHmac("sha256", SECRET).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
  return JSON.parse(body);
}

describe.each(FORMATS_AND_WAYS)("$format, streamed: $stream", ({ format, stream }) => {
  const model = `${format}-on`;

  it("asks once more where the webhook does not let the answer pass", async () => {
    script = ["text", "json"];
    const answer = await ask({ format, model, stream });
    expect(answer).toMatchObject({ status: 200, text: JSON_TEXT, optimizations: "checked-retry", deviation: "none" });
    expect(await attemptsOf(answer.body)).toMatchObject([
      { role: "primary", isWinner: false, failedChecks: ["webhook_rejected"] },
      { role: "retry", isWinner: true, failedChecks: [] },
    ]);
    const id = idOf(answer.body);
    const facts = { id, model: `attune/${model}`, workload: "judged" };
    expect(hook.received.map(opened)).toEqual([
      { ...facts, answer: { text: TEXT, tool_calls: [], finish_reason: "stop" } },
      { ...facts, answer: { text: JSON_TEXT, tool_calls: [], finish_reason: "stop" } },
    ]);
  });

  it("gives the first answer where the second does not pass either", async () => {
    script = ["text"];
    const answer = await ask({ format, model, stream });
    expect(answer).toMatchObject({ status: 200, text: TEXT, optimizations: "checked-retry" });
    expect(upstream.received).toHaveLength(2);
  });

  it("sends calls of tools, and nothing that is not of the form that was asked for", async () => {
    script = ["calls"];
    const fitting = { type: "object", properties: { city: { type: "string" } } };
    await ask({ format, model, stream, members: withTool(format, fitting, true) });
    // Both are rejected: the webhook wants another text.
    expect(hook.received.map(opened)).toMatchObject([
      { answer: { tool_calls: [{ name: "get_weather" }, {}], finish_reason: "tool_use" } },
      { answer: { finish_reason: "tool_use" } },
    ]);
    hook.received.length = 0;
    script = ["text"];
    await ask({ format, model, stream, members: forSchema(format, { type: "object" }) });
    expect(hook.received).toEqual([]);
  });

  it("has the best of several chosen by it, without a wait for those that it says nothing of yet", async () => {
    script = ["json"];
    let calls = 0;
    judged = () => (calls++ === 0 ? PASS : HANG);
    const answer = await ask({ format, model, stream, headers: { "attune-candidates": "3" } });
    expect(answer).toMatchObject({ status: 200, text: JSON_TEXT, deviation: "best-of-n" });
    // The deadline of the webhook is 20 s.
    expect(answer.tookMs).toBeLessThan(5000);
    const attempts = await attemptsOf(answer.body);
    expect(attempts.map(({ candidateReason }) => candidateReason).sort()).toEqual([
      ...["first_to_pass", "not_awaited", "not_awaited"],
    ]);
    await Promise.all(hook.received.slice(1).map(({ aborted }) => aborted));
  });
});

it("asks it for its workload only, and sends the prompt where it is to have it", async () => {
  script = ["text"];
  const others = await ask({ format: "chat", model: "chat-on" }, "others");
  expect(others).toMatchObject({ text: TEXT, optimizations: "none" });
  expect(hook.received).toEqual([]);
  script = ["json"];
  await ask({ format: "messages", model: "with-prompt" });
  expect(hook.received.map(({ body }) => JSON.parse(body).prompt)).toEqual([
    { messages: [{ role: "user", text: expect.stringMatching(/./) }], truncated: false },
  ]);
});

it("gives answers as they are where it fails or is slow, within its deadline, and counts that", async () => {
  script = ["text"];
  const down = [];
  for (let times = 0; times < 3; times++) down.push(await ask({ format: "chat", model: "chat-on" }, "down"));
  expect(down.map(({ text, optimizations }) => [text, optimizations])).toEqual([
    ...[1, 2, 3].map(() => [TEXT, "none"]),
  ]);
  const slow = await ask({ format: "chat", model: "chat-on" }, "slow");
  expect(slow).toMatchObject({ text: TEXT, optimizations: "none" });
  expect(slow.tookMs).toBeGreaterThan(290);
  expect(slow.tookMs).toBeLessThan(5000);
  await hook.received.at(-1)?.aborted;
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const host = new URL(hook.url).host;
  const counted = [...text.matchAll(/^attune_webhook_checks_total\{host="([^"]+)",result="(\w+)"\} (\d+)$/gm)];
  expect(counted.map(([, at, result, count]) => [at, result, count])).toEqual(
    expect.arrayContaining([
      [host, "bad_status", "2"],
      [host, "skipped", "1"],
      [host, "timeout", "1"],
    ]),
  );
  const models = await (await fetch(`${service.url}/v1/models`, { headers: service.headers })).text();
  expect(models).toContain("attune/chat-on");
  for (const told of [text, models]) expect(told).not.toMatch(/a-secret-of-this-test|\/judge/);
});

it.each(UPSTREAM_KINDS)("ends its call where the caller leaves: %s", async (format) => {
  script = ["text"];
  judged = () => HANG;
  const leaving = new AbortController();
  const asked = fetch(`${service.url}${PATH[format]}`, {
    method: "POST",
    headers: { ...service.headers, "attune-workload": "judged" },
    body: JSON.stringify(bodyOf(format, `attune/${format}-on`)),
    signal: leaving.signal,
  });
  await expect.poll(() => hook.received.length).toBe(1);
  const leftMs = performance.now();
  leaving.abort();
  await expect(asked).rejects.toThrow();
  const abortedMs = await hook.received[0]?.aborted;
  expect((abortedMs ?? 0) - leftMs).toBeLessThan(10_000);
  // It was no second one that ended: nobody asks for it.
  expect(upstream.received).toHaveLength(1);
});

it("is told of in the log where it fails, once, without its address and its secret", async () => {
  script = ["text"];
  const told: string[] = [];
  const stream = { write: (line: string) => void told.push(line) };
  const logging = await startTestService({ yaml: yaml(), log: pino({ level: "warn" }, stream) });
  for (const workload of ["down", "down", "down", "gone"]) {
    const headers = { "attune-workload": workload };
    await askInFormat(logging, { format: "chat", model: "chat-on", members: {}, headers });
  }
  await logging.close();
  const lines = told.filter((line) => line.includes("webhook"));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { host: new URL(hook.url).host, result: "bad_status", status: 503, failures: 1 },
    {
      host: "localhost:9",
      result: "unreachable",
      failures: 1,
      problem: expect.stringMatching(/^the connection to the webhook failed \(\w+\)$/),
    },
  ]);
  // Neither the address that its host stands for, nor words that are for upstreams.
  expect(lines.join("")).not.toMatch(/127\.0\.0\.1:9|upstream/);
  expect(told.join("")).not.toMatch(/\/down|\/gone|a-secret-of-this-test/);
});

it("ends with the service", async () => {
  script = ["text"];
  judged = () => HANG;
  const stopping = await startTestService({ yaml: `server: { shutdownMs: 100 }\n${yaml()}` });
  const headers = { "attune-workload": "judged" };
  const asked = askInFormat(stopping, { format: "chat", model: "chat-on", members: {}, headers }).catch(
    () => undefined,
  );
  await expect.poll(() => hook.received.length).toBe(1);
  const startMs = performance.now();
  await stopping.stop();
  expect(performance.now() - startMs).toBeLessThan(5000);
  await hook.received[0]?.aborted;
  await asked;
  await stopping.close();
});

function yaml(): string {
  const rule = (workload: string, path: string, more: string): string =>
    `      - { workload: ${workload}, webhook: { url: "${hook.url}/${path}", ${more} } }\n`;
  const checks = `    checks:
${rule("judged", "judge", `secret: ${SECRET}, deadlineMs: 20000`)}${rule("down", "down", "deadlineMs: 5000")}${rule("slow", "slow", "deadlineMs: 300")}      - { workload: gone, webhook: { url: "http://localhost:9/gone", deadlineMs: 5000 } }
`;
  const withPrompt = `    checks: [ { webhook: { url: "${hook.url}/judge", sendPrompt: true } } ]\n`;
  const models = UPSTREAM_KINDS.map((kind) => `${checkedModel(kind, "on")}\n${checks}`).join("");
  return `${checkedModels(upstream.url, [])}${models}${checkedModel("messages", "on", "with-prompt")}\n${withPrompt}`;
}
