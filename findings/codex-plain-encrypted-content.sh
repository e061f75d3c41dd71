#!/usr/bin/env bash
# Codex puts a subagent's task into `encrypted_content` without encrypting it.
# Version: npm @openai/codex 0.171.0. Guess: a subagent's first request has its task as a user message.
# Seen on 2026-11-30: for gpt-5.6-sol it has an item `agent_message` with a part `encrypted_content` whose text is the model's own
# words, as the call of spawn_agent had them: its schema marks the argument `"encrypted": true`, for OpenAI's server to seal. For a
# name that Codex does not know it is a user message. A server that keeps to the documents drops it as unreadable.
# Prints where the task stood for both names; exits 1 if one has changed. Needs Node 20 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @openai/codex@0.171.0 >/dev/null
cat > run.mjs <<'JS'
import { spawn } from "node:child_process"; import fs from "node:fs"; import http from "node:http"; import path from "node:path";
const TASK = "Count the files here.";
const toolsIn = (tools = []) => tools.flatMap((tool) => (tool.type === "namespace" ? tool.tools.map((inner) => ({ ...inner, namespace: tool.name })) : [tool]));
const place = async (model, expected) => {
  let seen; let spawner;
  const server = http.createServer(async (request, response) => {
    let body = ""; for await (const chunk of request) body += chunk;
    if (!request.url.endsWith("/responses")) return response.writeHead(404).end();
    const { input, tools } = JSON.parse(body);
    const isChild = !input.some(({ type }) => type === "function_call") && body.includes(TASK);
    if (isChild) for (const { type, role, content } of input) for (const part of Array.isArray(content) ? content : []) if (JSON.stringify(part).includes(TASK)) seen = `${type} ${role ?? ""} ${part.type}`;
    spawner ??= toolsIn([...(tools ?? []), ...input.flatMap(({ tools }) => tools ?? [])]).find(({ name }) => name === "spawn_agent");
    const isFirst = !isChild && !input.some(({ type }) => type === "function_call");
    const item = isFirst
      ? { id: "fc_1", type: "function_call", call_id: "c1", name: "spawn_agent", namespace: spawner?.namespace, arguments: JSON.stringify(spawner?.namespace === "collaboration" ? { message: TASK, task_name: "count", fork_turns: "none" } : { message: TASK }), status: "completed" }
      : { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "ok", annotations: [] }] };
    // The parent's last words wait until its child has asked.
    for (let i = 0; i < 100 && !isFirst && seen === undefined; i++) await new Promise((later) => setTimeout(later, 100));
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events = [["response.created", { response: { id: "resp_1", status: "in_progress", output: [] } }], ["response.output_item.done", { output_index: 0, item }], ["response.completed", { response: { id: "resp_1", status: "completed", output: [item], usage } }]];
    response.writeHead(200, { "content-type": "text/event-stream" }).end(events.map(([type, rest]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`).join(""));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const home = path.resolve(`home-${model}`); fs.mkdirSync(`${home}/.codex`, { recursive: true });
  fs.writeFileSync(`${home}/.codex/config.toml`, `model = "${model}"\nmodel_provider = "x"\n[model_providers.x]\nname = "X"\nbase_url = "http://127.0.0.1:${server.address().port}/v1"\nenv_key = "KEY"\nwire_api = "responses"\n`);
  const codex = spawn("node_modules/.bin/codex", ["exec", "--skip-git-repo-check", "hi"], { env: { PATH: process.env.PATH, HOME: home, KEY: "k" }, stdio: "ignore" });
  const timer = setTimeout(() => codex.kill("SIGKILL"), 60_000);
  await new Promise((ended) => codex.on("exit", ended));
  clearTimeout(timer); server.closeAllConnections(); server.close();
  console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${model}: ${seen} (${expected} on 2026-11-30)`);
  return seen === expected;
};
const all = await Promise.all([place("gpt-5.6-sol", "agent_message  encrypted_content"), place("some-model", "message user input_text")]); process.exit(all.every(Boolean) ? 0 : 1);
JS
node run.mjs
