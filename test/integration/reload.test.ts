import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const yamlOf = (model: string, more = "") => `
${more}
models:
  - name: ${model}
    family: chat
    contextWindow: 100000
    maxOutputTokens: 1000
    deployments: [{ upstream: sandbox, model: any }]
`;

function configOf(yaml: string, databaseUrl = "sqlite::memory:") {
  const folder = mkdtempSync(join(tmpdir(), "attune-reload-"));
  writeFileSync(join(folder, "attune.yaml"), yaml);
  return loadConfig({ ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: "0", ATTUNE_DATABASE_URL: databaseUrl }, folder);
}

function call(service: TestService, model: string, more: object = {}): Promise<Response> {
  return fetch(`${service.url}/v1/chat/completions`, {
    method: "POST",
    headers: service.headers,
    body: JSON.stringify({ model: `attune/${model}`, messages: [{ role: "user", content: "a b c d e" }], ...more }),
  });
}

async function metricsOf(service: TestService): Promise<string> {
  return (await fetch(`${service.adminUrl}/metrics`)).text();
}

async function modelsOf(service: TestService): Promise<string[]> {
  const response = await fetch(`${service.url}/v1/models`, { headers: service.headers });
  return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
}

it("serves new requests by what was read again, and ends those under way by what they began with", async () => {
  const service = await startTestService({ yaml: yamlOf("former") });
  const stream = await call(service, "former", { stream: true });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? "";
  await service.reload(configOf(yamlOf("latter")));
  expect(await modelsOf(service)).toEqual(["attune/latter"]);
  expect((await call(service, "latter")).status).toBe(200);
  expect((await call(service, "former")).status).toBe(404);
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) text += read.value;
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  await service.close();
});

it("names the settings that take a restart, and applies quotas", async () => {
  const service = await startTestService({ yaml: yamlOf("model") });
  const same = { ...configOf(yamlOf("model")), spool: { folder: "elsewhere", maxBytes: 1, whenFull: "shed" as const } };
  expect(await service.reload({ ...same, quotas: { ...same.quotas, keysPerProject: 7 } })).toContain("spool");
  expect(service.store.quotas.keysPerProject).toBe(7);
  await service.close();
});

it("calls an upstream with the key that its file has since the reload", async () => {
  const folder = mkdtempSync(join(tmpdir(), "attune-reload-"));
  const secret = join(folder, "key");
  const upstream = await startScriptedUpstream();
  const answer = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };
  upstream.answer(wholeAnswer(JSON.stringify({ id: "1", object: "chat.completion", model: "any", ...answer })));
  const yaml = `
upstreams:
  here: { kind: openai-chat, baseUrl: "${upstream.url}/v1", apiKey: "\${file:${secret}}", headers: { x-team: "of \${file:${secret}}" } }
${yamlOf("model").replace("upstream: sandbox", "upstream: here")}`;
  writeFileSync(secret, "former-key\n");
  const service = await startTestService({ yaml });
  expect((await call(service, "model")).status).toBe(200);
  writeFileSync(secret, "latter-key\n");
  await service.reload(configOf(yaml));
  expect((await call(service, "model")).status).toBe(200);
  expect(upstream.received.map(({ headers }) => [headers.authorization, headers["x-team"]])).toEqual([
    ["Bearer former-key", "of former-key"],
    ["Bearer latter-key", "of latter-key"],
  ]);
  await service.close();
  await upstream.close();
});

it("answers each of many calls while it is reloaded", async () => {
  const service = await startTestService({ yaml: yamlOf("model") });
  const config = configOf(yamlOf("model"));
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    const statuses = new Set<number>();
    while (!isOver) statuses.add((await call(service, "model")).status);
    return [...statuses];
  });
  for (let count = 0; count < 20; count++) await service.reload(config);
  isOver = true;
  expect(await Promise.all(callers)).toEqual([[200], [200], [200], [200]]);
  await service.close();
});

it("applies the settings of the log", async () => {
  const lines: string[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line) });
  const service = await startTestService({ yaml: yamlOf("one", "log: { requests: { level: off } }"), log });
  try {
    await (await call(service, "one")).text();
    await waitUntil(async () =>
      (await (await fetch(`${service.adminUrl}/metrics`)).text()).includes("attune_request_duration_seconds_count"),
    );
    expect(await service.reload(configOf(yamlOf("one")))).not.toContain("log");
    await (await call(service, "one")).text();
    const requests = await waitUntil(() => {
      const found = lines.filter((line) => line.includes('"msg":"request"'));
      return found.length > 0 && found;
    });
    expect(requests).toHaveLength(1);
  } finally {
    await service.close();
  }
});

it("calls an upstream by the keys of its list since the reload, and tells of a refused one in its metrics", async () => {
  const upstream = await startScriptedUpstream();
  const answer = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };
  const whole = wholeAnswer(JSON.stringify({ id: "1", object: "chat.completion", model: "any", ...answer }));
  const yamlWith = (keys: string) => `
upstreams:
  here: { kind: openai-chat, baseUrl: "${upstream.url}/v1", apiKeys: [${keys}] }
${yamlOf("model").replace("upstream: sandbox", "upstream: here")}`;
  upstream.answer({ ...wholeAnswer("{}"), status: 401 }, whole);
  const service = await startTestService({ yaml: yamlWith("sk-first-former, sk-second-former") });
  expect((await call(service, "model")).status).toBe(200);
  const refused = 'attune_upstream_key_refused{upstream="here",key="apiKeys[0]"}';
  expect(await metricsOf(service)).toContain(`${refused} 1`);
  await service.reload(configOf(yamlWith("sk-first-latter, sk-second-latter")));
  for (let calls = 0; calls < 2; calls += 1) expect((await call(service, "model")).status).toBe(200);
  expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual(
    ["first-former", "second-former", "first-latter", "second-latter"].map((key) => `Bearer sk-${key}`),
  );
  expect(await metricsOf(service)).toContain(`${refused} 0`);
  await service.close();
  await upstream.close();
});
