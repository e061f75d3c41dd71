/**
 * `node make-dataset.ts`: has a service of its own answer calls, with two tools and without, rates one answer badly,
 * and writes a dataset of all as training data: openai.jsonl and anthropic.jsonl.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { startDashboardService } from "../../test/dashboard/harness.ts";
import { createPeople } from "../../test/dashboard/people.ts";
import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { modelsYaml, scriptModels } from "../clients/scripted-models.ts";

const TOOLS = [
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string", minLength: 2 } } } },
  { name: "Weather", parameters: { type: "object", properties: { degrees: { type: "number", minimum: -90.5 } } } },
];

const upstream = await startScriptedUpstream();
scriptModels(upstream);
const service = await startDashboardService({ configText: modelsYaml(upstream.url) });
const { projectId, byRole } = await createPeople(service);
const { key } = await createKey(service.store, { name: "dataset", projectId });

async function post(path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return text;
}

interface Completion {
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly { readonly id: string }[] } }[];
}

async function ask(messages: readonly object[], more: object = {}): Promise<Completion> {
  return JSON.parse(await post("/v1/chat/completions", { model: "attune/chat-model", messages, ...more }));
}

const system = { role: "system", content: "Be brief." };
const ids = [];
for (const question of ["What is rated badly?", "42", "null"]) {
  ids.push((await ask([system, { role: "user", content: question }])).id);
}
await post("/v1/feedback", [{ id: ids[0], feedback: { helpful: false } }]);
for (const tool of TOOLS) {
  const tools = [{ type: "function", function: tool }];
  const asked = [{ role: "user", content: "How is the weather?" }];
  const called = await ask(asked, { tools });
  const message = called.choices[0]?.message;
  const result = { role: "tool", tool_call_id: message?.tool_calls?.[0]?.id, content: "4 degrees" };
  const answered = message === undefined ? called : await ask([...asked, message, result], { tools });
  ids.push(called.id, answered.id);
}

const member = byRole.developer;
const { data } = await member.mutate("datasets.create", { projectId, name: "all" });
const { id } = data as { readonly id: string };
// Requests are there once they are written.
for (let added = 0; added < ids.length; await delay(500)) {
  const answer = await member.mutate("datasets.add", { projectId, id, inferenceIds: ids });
  added += (answer.data as { readonly added: number }).added;
}
for (const form of ["openai", "anthropic"]) {
  const input = encodeURIComponent(JSON.stringify({ projectId, id, form, rated: "all" }));
  const headers = { cookie: member.cookie ?? "" };
  const answer = await fetch(`${service.url}/dashboard/api/export/dataset?input=${input}`, { headers });
  writeFileSync(`${form}.jsonl`, await answer.text());
}
await service.close();
await upstream.close();
