import { Agent, configureLogging, tool } from "@strands-agents/sdk";
import { AnthropicModel } from "@strands-agents/sdk/models/anthropic";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { z } from "zod";
import { key as apiKey, run, url } from "./steps.mjs";

const silent = () => {};
configureLogging({ debug: silent, info: silent, warn: silent, error: silent });
const openai = { baseURL: `${url}/v1`, maxRetries: 0 };
const makers = {
  chat: (modelId) => new OpenAIModel({ api: "chat", modelId, apiKey, clientConfig: openai }),
  responses: (modelId) => new OpenAIModel({ api: "responses", modelId, apiKey, clientConfig: openai }),
  messages: (modelId) => new AnthropicModel({ modelId, apiKey, clientConfig: { baseURL: url, maxRetries: 0 } }),
};
const get_weather = tool({
  name: "get_weather",
  description: "Weather",
  inputSchema: z.object({ city: z.string() }),
  callback: ({ city }) => `rain in ${city}`,
});
const agent = (model, tools = []) => new Agent({ model, tools, printer: false, retryStrategy: null });

const steps = {};
for (const [name, make] of Object.entries(makers)) {
  steps[name] = async (model) => ({ text: `${await agent(make(model)).invoke("Hello")}` });
  steps[`${name} stream`] = async (model) => {
    let text = "";
    for await (const { event } of agent(make(model)).stream("Hello")) text += event?.delta?.text ?? "";
    return { text };
  };
  steps[`${name} tools`] = async (model) => ({ text: `${await agent(make(model), [get_weather]).invoke("Weather?")}` });
}
await run(steps);
