import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { key as apiKey, run, url } from "./steps.mjs";

const provider = createOpenAICompatible({ name: "attune", baseURL: `${url}/v1`, apiKey });
const get_weather = createTool({
  id: "get_weather",
  description: "Weather",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ weather: `rain in ${city}` }),
});
const agent = (model, tools = {}) =>
  new Agent({ id: "a", name: "a", instructions: "Help.", model: provider(model), tools });

await run({
  async chat(model) {
    const { text, response } = await agent(model).generate("Hello");
    return { text, id: response?.id };
  },
  async stream(model) {
    const result = await agent(model).stream("Hello");
    return { text: await result.text, id: (await result.response)?.id };
  },
  async tools(model) {
    const { text, response } = await agent(model, { get_weather }).generate("Weather?");
    return { text, id: response?.id };
  },
});
