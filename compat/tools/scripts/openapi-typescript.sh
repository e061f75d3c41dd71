#!/usr/bin/env bash
# openapi-typescript 7.13.0, openapi-fetch 0.17.0, typescript 5.9.3
npm init -y >npm.log && npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 >>npm.log
node_modules/.bin/openapi-typescript "$ATTUNE_ROOT/docs/openapi.json" -o api.d.ts >generate.log 2>&1 && echo "held generates"
cat > call.mts <<'TS'
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";
declare const process: { env: Record<string, string> };
const client = createClient<paths, "application/json">({ baseUrl: process.env.ATTUNE_URL, headers: { authorization: `Bearer ${process.env.ATTUNE_KEY}` } });
const check = (step: string, is: boolean, seen: unknown): void => console.log(is ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
const chat = await client.POST("/v1/chat/completions", { body: { model: "attune/chat-model", messages: [{ role: "user", content: "hi" }] } });
const id = chat.data?.id ?? "";
check("Chat", (chat.data?.choices[0]?.message.content ?? "") !== "", chat);
const messages = await client.POST("/v1/messages", { body: { model: "attune/chat-model", max_tokens: 9, messages: [{ role: "user", content: "hi" }] } });
const [block] = messages.data?.content ?? [];
check("Messages", block?.type === "text" && block.text !== "", messages);
const response = await client.POST("/v1/responses", { body: { model: "attune/chat-model", input: "hi" } });
check("Responses", response.data?.output[0]?.type === "message", response);
const stream = await client.POST("/v1/chat/completions", { parseAs: "stream", body: { model: "attune/chat-model", stream: true, messages: [{ role: "user", content: "hi" }] } });
check("stream", /\[DONE\]/.test(await new Response(stream.data as unknown as ReadableStream).text()), stream.error);
const feedback: components["schemas"]["FeedbackEvent"]["feedback"] = { helpful: true, stars: 4, comment: "good", quality: { score: 0.5, reason: "short" }, parts: { tone: 1, facts: false }, helpful_before: null };
const rated = await client.POST("/v1/feedback", { body: [{ id, feedback, tags: { page: "help" }, optimize: "max" }] });
check("feedback", Object.keys(rated.data?.[0]?.feedback_ids ?? {}).length === 6, rated);
const models = await client.GET("/v1/models");
check("models", (models.data?.data.length ?? 0) > 0, models);
const unknown = await client.POST("/v1/chat/completions", { body: { model: "none", messages: [{ role: "user", content: "hi" }] } });
check("error", unknown.error?.error.code === "model_not_found", unknown.error);
TS
printf '{"compilerOptions":{"strict":true,"target":"es2022","module":"nodenext","lib":["es2024","dom","dom.iterable"],"outDir":"out"},"files":["call.mts"]}' > tsconfig.json
node_modules/.bin/tsc -p . >tsc.log 2>&1 && echo "held compiles" || { echo "failed compiles: $(head -1 tsc.log)"; cat tsc.log >&2; }
node out/call.mjs
