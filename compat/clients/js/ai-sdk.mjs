import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { key as apiKey, run, url } from "./steps.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;
const baseURL = `${url}/v1`;
const openai = createOpenAI({ baseURL, apiKey });
const providers = {
  responses: openai,
  chat: openai.chat,
  messages: createAnthropic({ baseURL, apiKey }),
  compatible: createOpenAICompatible({ name: "attune", baseURL, apiKey, includeUsage: true }),
};
const get_weather = tool({
  description: "Weather",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});

const steps = {};
for (const [name, provider] of Object.entries(providers)) {
  const ask = (model) => ({ model: provider(model), prompt: "Hello", maxRetries: 0 });
  steps[name] = async (model) => {
    const { text, response } = await generateText(ask(model));
    return { text, id: response.id };
  };
  steps[`${name} stream`] = async (model) => {
    const result = streamText({ ...ask(model), onError() {} });
    return { text: await result.text, id: (await result.response).id };
  };
  steps[`${name} tools`] = async (model) => {
    const { text, response } = await generateText({ ...ask(model), tools: { get_weather }, stopWhen: stepCountIs(3) });
    return { text, id: response.id };
  };
}
await run(steps);
