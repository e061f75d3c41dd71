/**
 * `node play-scenes.ts`: has the service at ATTUNE_URL answer a call and a stream of each format, an agent's loop,
 * a call that thinks, one that fails, and feedback, and prints their ids as JSON for those who look for them.
 */
import { FAIL, THINK } from "../clients/scripted-models.ts";

const { ATTUNE_URL = "", ATTUNE_KEY = "" } = process.env;

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const head = { authorization: `Bearer ${ATTUNE_KEY}`, "content-type": "application/json", ...headers };
  const response = await fetch(ATTUNE_URL + path, { method: "POST", headers: head, body: JSON.stringify(body) });
  const text = await response.text();
  return { id: response.headers.get("attune-inference-id") ?? "", text };
}

const user = (content: string): object[] => [{ role: "user", content }];
const ROUTES = [
  { path: "/v1/chat/completions", model: "attune/chat-model", input: "messages", more: {} },
  { path: "/v1/responses", model: "attune/responses-model", input: "input", more: {} },
  { path: "/v1/messages", model: "attune/messages-model", input: "messages", more: { max_tokens: 99 } },
] as const;
const ids: Record<string, string> = {};
for (const { path, model, input, more } of ROUTES) {
  const name = model.slice("attune/".length);
  ids[`${name} call`] = (await post(path, { model, [input]: user("hi"), ...more })).id;
  ids[`${name} stream`] = (await post(path, { model, [input]: user("hi"), ...more, stream: true })).id;
  ids[`${name} thought`] = (await post(path, { model, [input]: user(THINK), ...more })).id;
}
const [chat] = ROUTES;
const session = { "attune-session": "session-of-loop" };
const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
const loop = { model: chat.model, tools };
const called = await post(chat.path, { ...loop, messages: user("How is the weather?") }, session);
const { choices } = JSON.parse(called.text) as { choices: { message: { tool_calls: { id: string }[] } }[] };
const message = choices[0]?.message;
const result = { role: "tool", tool_call_id: message?.tool_calls[0]?.id, content: "4 degrees" };
const messages = [...user("How is the weather?"), message, result];
ids["loop call"] = called.id;
ids["loop answer"] = (await post(chat.path, { ...loop, messages }, session)).id;
ids["failure"] = (await post(chat.path, { model: chat.model, messages: user(FAIL) })).id;
const feedback = { helpful: true, stars: 4, comment: "good" };
await post("/v1/feedback", [{ id: ids["chat-model call"], feedback }]);
console.log(JSON.stringify(ids));
