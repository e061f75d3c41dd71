#!/usr/bin/env bash
# Qwen Code writes its transcript behind what it does: a kill while a tool runs loses turns that were already answered.
# Version: npm @qwen-code/qwen-code 0.24.4.
# Guess: what a model has answered is in the file before its tool runs, as in Codex's and Claude Code's sessions.
# Seen on 2026-12-01: the call that runs was missing after four kills of five, and the result before it after two.
# Kills it five times while its second tool runs, prints the types in each transcript, and exits 1 if none lacks the second answer.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @qwen-code/qwen-code@0.24.4
qwen=$folder/node_modules/.bin/qwen
cat > try.mjs <<'JS'
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { messages = [], model } = JSON.parse(body || "{}");
    const command = messages.some(({ role }) => role === "tool") ? "touch waiting; sleep 45" : "echo first";
    const call = { name: "run_shell_command", arguments: JSON.stringify({ command, description: "x", is_background: false }) };
    const send = (delta, finish_reason = null) => {
      const chunk = { id: "x", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    send({ role: "assistant", content: null, tool_calls: [{ index: 0, id: `call_${messages.length}`, type: "function", function: call }] });
    send({}, "tool_calls");
    response.end("data: [DONE]\n\n");
  });
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/v1`;
let lost = 0;
for (const index of [0, 1, 2, 3, 4]) {
  const home = `${process.cwd()}/home-${index}`;
  mkdirSync(`${home}/project`, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, OPENAI_API_KEY: "k", OPENAI_BASE_URL: url, OPENAI_MODEL: "m" };
  const options = { cwd: `${home}/project`, env, stdio: "ignore", detached: true };
  const child = spawn(process.argv[2], ["--auth-type", "openai", "--model", "m", "--yolo", "-p", "Go on."], options);
  const watch = setInterval(() => existsSync(`${home}/project/waiting`) && process.kill(-child.pid, "SIGKILL"), 5);
  await new Promise((done) => child.on("close", done));
  clearInterval(watch);
  const names = readdirSync(`${home}/.qwen`, { recursive: true }).filter((name) => /chats\/.*\.jsonl$/.test(name));
  const lines = names.flatMap((name) => readFileSync(`${home}/.qwen/${name}`, "utf8").split("\n").filter((line) => line !== ""));
  const types = lines.map((line) => JSON.parse(line).type).filter((type) => type !== "system");
  if (types.filter((type) => type === "assistant").length < 2) lost++;
  console.log(`kill ${index + 1}: ${types.join(", ")}`);
}
console.log(`${lost} of 5 lack the answer whose tool ran`);
process.exit(lost > 0 ? 0 : 1);
JS
node try.mjs "$qwen"
