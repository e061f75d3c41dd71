import { chat, toolDefinition } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
import { openaiCompatibleText } from "@tanstack/ai-openai/compatible";
import { z } from "zod";
import { key as apiKey, run, url } from "./steps.mjs";

const openai = (api) => (model) => openaiCompatibleText(model, { baseURL: `${url}/v1`, apiKey, api, maxRetries: 0 });
const makers = {
  chat: openai("chat-completions"),
  responses: openai("responses"),
  messages: (model) => createAnthropicChat(model, apiKey, { baseURL: url, maxRetries: 0 }),
};
const get_weather = toolDefinition({
  name: "get_weather",
  description: "Weather",
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.string(),
}).server(({ city }) => `rain in ${city}`);
const messages = [{ role: "user", content: "Hello" }];

const steps = {};
for (const [name, make] of Object.entries(makers)) {
  const ask = (model, more) => chat({ adapter: make(model), messages, ...more });
  steps[name] = async (model) => ({ text: await ask(model, { stream: false }) });
  steps[`${name} stream`] = async (model) => {
    let text = "";
    for await (const { type, delta } of ask(model)) if (type === "TEXT_MESSAGE_CONTENT") text += delta;
    return { text };
  };
  steps[`${name} tools`] = async (model) => ({ text: await ask(model, { stream: false, tools: [get_weather] }) });
}
await run(steps);
