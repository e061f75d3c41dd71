#!/usr/bin/env bash
# openapi-generator 7.26.0 (typescript-fetch, --generate-alias-as-model), typescript 5.9.3
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openapi-generator-cli==7.26.0
npm init -y >npm.log && npm install --silent --no-audit --no-fund typescript@5.9.3 esbuild@0.25.12 >>npm.log
# Unions are merged into one type (findings/openapi-generator-any-of.sh): messages need a cast, and answers of Responses are read raw.
venv/bin/openapi-generator-cli generate -g typescript-fetch --generate-alias-as-model -i "$ATTUNE_ROOT/docs/openapi.json" -o client >generate.log 2>&1 && echo "held generates"
cat > call.mts <<'TS'
import { ChatApi, Configuration, FeedbackApi, MessagesApi, ModelsApi, ResponseError, ResponsesApi } from "./client/index";
declare const process: { env: Record<string, string> };
const configuration = new Configuration({ basePath: process.env.ATTUNE_URL, accessToken: process.env.ATTUNE_KEY });
const check = (step: string, is: boolean, seen: unknown): void => console.log(is ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
const ask = { messages: [{ role: "user", content: "hi" }] as never };
const chats = new ChatApi(configuration);
const chat = await chats.createChatCompletion({ chatCompletionRequest: { model: "attune/chat-model", ...ask } });
check("Chat", (chat.choices[0]?.message.content ?? "") !== "", chat);
const raw = await chats.createChatCompletionRaw({ chatCompletionRequest: { model: "attune/chat-model", ...ask, stream: true } });
check("stream", (await raw.raw.text()).trimEnd().endsWith("data: [DONE]"), raw.raw.status);
const message = await new MessagesApi(configuration).createMessage({ messageRequest: { model: "attune/chat-model", maxTokens: 9, ...ask } });
check("Messages", message.content[0]?.type === "text", message);
const response = await new ResponsesApi(configuration).createResponseRaw({ responseRequest: { model: "attune/chat-model", input: "hi" } });
check("Responses, raw", (await response.raw.json()).output[0]?.type === "message", response);
const typed = await new ResponsesApi(configuration).createResponse({ responseRequest: { model: "attune/chat-model", input: "hi" } }).catch(String);
check("Responses", typeof typed === "object", typed);
const feedback = { helpful: true, stars: 4, comment: "good", quality: { score: 0.5, reason: "short" }, parts: { tone: 1, facts: false }, before: null as never };
const rated = await new FeedbackApi(configuration).createFeedback({ feedbackEvent: [{ id: chat.id, feedback, tags: { page: "help" }, optimize: "max" }] });
check("feedback", Object.keys(rated[0]?.feedbackIds ?? {}).length === 6, rated);
const models = await new ModelsApi(configuration).listModels({});
check("models", models.data.length > 0, models);
const failed = await chats.createChatCompletion({ chatCompletionRequest: { model: "none", ...ask } }).catch((error: unknown) => error);
check("error", failed instanceof ResponseError && (await failed.response.json()).error.code === "model_not_found", failed);
TS
printf '{"compilerOptions":{"strict":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2024","dom","dom.iterable"],"noEmit":true},"files":["call.mts"]}' > tsconfig.json
node_modules/.bin/tsc -p . >tsc.log 2>&1 && echo "held compiles" || echo "failed compiles: $(head -1 tsc.log)"
node_modules/.bin/esbuild call.mts --bundle --format=esm --platform=node --outfile=call.mjs --log-level=error && node call.mjs
