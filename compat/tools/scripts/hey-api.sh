#!/usr/bin/env bash
# @hey-api/openapi-ts 0.99.0, typescript 5.9.3
npm init -y >npm.log && npm install --silent --no-audit --no-fund @hey-api/openapi-ts@0.99.0 typescript@5.9.3 esbuild@0.25.12 >>npm.log
node_modules/.bin/openapi-ts -i "$ATTUNE_ROOT/docs/openapi.json" -o hey >generate.log 2>&1 && echo "held generates"
cat > call.mts <<'TS'
import { client } from "./hey/client.gen";
import { createChatCompletion, createFeedback, createMessage, createResponse, listModels } from "./hey/index";
declare const process: { env: Record<string, string> };
client.setConfig({ baseUrl: process.env.ATTUNE_URL, auth: () => process.env.ATTUNE_KEY });
const check = (step: string, is: boolean, seen: unknown): void => console.log(is ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
const chat = await createChatCompletion({ body: { model: "attune/chat-model", messages: [{ role: "user", content: "hi" }] } });
check("Chat", typeof chat.data === "object" && chat.data.choices[0]?.message.content !== "", chat);
const id = typeof chat.data === "object" ? chat.data.id : "";
const messages = await createMessage({ body: { model: "attune/chat-model", max_tokens: 9, messages: [{ role: "user", content: "hi" }] } });
check("Messages", typeof messages.data === "object" && messages.data.content[0]?.type === "text", messages);
const response = await createResponse({ body: { model: "attune/chat-model", input: "hi" } });
check("Responses", typeof response.data === "object" && response.data.output[0]?.type === "message", response);
const rated = await createFeedback({ body: [{ id, feedback: { helpful: true, stars: 4, comment: "good", quality: { score: 0.5, reason: "short" }, parts: { tone: 1, facts: false }, before: null }, tags: { page: "help" }, optimize: "max" }] });
check("feedback", Object.keys(rated.data?.[0]?.feedback_ids ?? {}).length === 6, rated);
const models = await listModels();
check("models", (models.data?.data.length ?? 0) > 0, models.error);
const unknown = await createChatCompletion({ body: { model: "none", messages: [{ role: "user", content: "hi" }] } });
check("error", unknown.error?.error.code === "model_not_found", unknown.error);
TS
printf '{"compilerOptions":{"strict":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2024","dom","dom.iterable"],"noEmit":true},"files":["call.mts"]}' > tsconfig.json
node_modules/.bin/tsc -p . >tsc.log 2>&1 && echo "held compiles" || echo "failed compiles: $(head -1 tsc.log)"
node_modules/.bin/esbuild call.mts --bundle --format=esm --platform=node --outfile=call.mjs --log-level=error && node call.mjs
