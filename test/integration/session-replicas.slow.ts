import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readWhenWritten } from "../support/read-when-written.ts";
import { sendFeedback } from "../support/sdk-fixture.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const MODEL = (name: string): string => `
  - name: ${name}
    family: chat
    contextWindow: 10000
    maxOutputTokens: 1000
    deployments: [{ upstream: sandbox, model: ${name} }]`;
const YAML = `learning: { mode: on }\nmodels:${MODEL("one")}${MODEL("two")}\n`;

/** One choice a session in two services on one database. */
const folder = mkdtempSync(join(tmpdir(), "attune-replicas-"));
let services: [TestService, TestService];
let sessions = 0;

beforeAll(async () => {
  const options = {
    yaml: YAML,
    databaseUrl: `sqlite:${join(folder, "attune.db")}`,
    spoolFolder: join(folder, "spool"),
  };
  const first = await startTestService(options);
  services = [first, { ...(await startTestService(options)), key: first.key, headers: first.headers }];
  // Before anything was learned, base answers every session.
  const id = await ask(first, "");
  expect(await sendFeedback(first, id)).toBeNull();
});
afterAll(async () => {
  for (const service of services) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask({ url, headers }: TestService, session: string): Promise<string> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, ...(session !== "" && { "attune-session": session }) },
    body: JSON.stringify({ model: "one", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(answer.status).toBe(200);
  return /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(await answer.text())?.[0] ?? "";
}

async function keptOf(id: string): Promise<string | undefined> {
  const { decision } = (await readWhenWritten(services[0].store, id)).row;
  return (typeof decision === "string" ? JSON.parse(decision) : decision)?.kept;
}

it("goes on in another service with the model that was chosen in the first", async () => {
  const [first, second] = services;
  await waitUntil(async () => {
    sessions += 1;
    const began = await ask(first, `run-${sessions}`);
    await readWhenWritten(first.store, began);
    return (await keptOf(await ask(second, `run-${sessions}`))) === "session";
  });
});
