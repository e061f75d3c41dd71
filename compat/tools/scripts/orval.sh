#!/usr/bin/env bash
# orval 8.38.0, typescript 5.9.3
npm init -y >npm.log && npm install --silent --no-audit --no-fund orval@8.38.0 typescript@5.9.3 esbuild@0.25.12 >>npm.log
cat > orval.config.mjs <<'JS'
export default { api: { input: `${process.env.ATTUNE_ROOT}/docs/openapi.json`, output: { target: "orval/a.ts", client: "fetch", baseUrl: process.env.ATTUNE_URL } } };
JS
node_modules/.bin/orval --config orval.config.mjs >generate.log 2>&1 && echo "held generates"
cat > call.mts <<'TS'
import { createChatCompletion, createFeedback, createMessage, createResponse, listModels } from "./orval/a";
declare const process: { env: Record<string, string> };
const options = { headers: { authorization: `Bearer ${process.env.ATTUNE_KEY}` } };
const check = (step: string, is: boolean, seen: unknown): void => console.log(is ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
const chat = await createChatCompletion({ model: "attune/chat-model", messages: [{ role: "user", content: "hi" }] }, options);
const id = chat.status === 200 && typeof chat.data === "object" ? chat.data.id : "";
check("Chat", id !== "", chat);
const messages = await createMessage({ model: "attune/chat-model", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }, options);
check("Messages", messages.status === 200 && typeof messages.data === "object" && messages.data.content[0]?.type === "text", messages);
const response = await createResponse({ model: "attune/chat-model", input: "hi" }, options);
check("Responses", response.status === 200 && typeof response.data === "object" && response.data.output[0]?.type === "message", response);
const stream = await createChatCompletion({ model: "attune/chat-model", stream: true, messages: [{ role: "user", content: "hi" }] }, options);
check("stream", typeof stream.data === "string" && stream.data.includes("[DONE]"), stream);
const rated = await createFeedback([{ id, feedback: { helpful: true, stars: 4, comment: "good", quality: { score: 0.5, reason: "short" }, parts: { tone: 1, facts: false }, before: null }, tags: { page: "help" }, optimize: "max" }], options);
check("feedback", rated.status === 200 && Object.keys(rated.data[0]?.feedback_ids ?? {}).length === 6, rated);
const models = await listModels(undefined, options);
check("models", models.status === 200, models);
const unknown = await createChatCompletion({ model: "none", messages: [{ role: "user", content: "hi" }] }, options);
check("error", unknown.status !== 200 && unknown.data.error.code === "model_not_found", unknown);
TS
printf '{"compilerOptions":{"strict":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2024","dom","dom.iterable"],"noEmit":true},"files":["call.mts"]}' > tsconfig.json
node_modules/.bin/tsc -p . >tsc.log 2>&1 && echo "held compiles" || echo "failed compiles: $(head -1 tsc.log)"
node_modules/.bin/esbuild call.mts --bundle --format=esm --platform=node --outfile=call.mjs --log-level=error && node call.mjs
