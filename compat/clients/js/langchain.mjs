import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { key as apiKey, run, url } from "./steps.mjs";

const configuration = { baseURL: `${url}/v1` };
const makers = {
  chat: (model) => new ChatOpenAI({ model, apiKey, configuration, maxRetries: 0 }),
  responses: (model) => new ChatOpenAI({ model, apiKey, configuration, useResponsesApi: true, maxRetries: 0 }),
  messages: (model) => new ChatAnthropic({ model, apiKey, anthropicApiUrl: url, maxRetries: 0 }),
};
const get = tool(({ city }) => `rain in ${city}`, {
  name: "get_weather",
  description: "Weather",
  schema: z.object({ city: z.string() }),
});
const shown = ({ id, text }) => ({ id, text });

const steps = {};
for (const [name, make] of Object.entries(makers)) {
  steps[name] = async (model) => shown(await make(model).invoke("Hello"));
  steps[`${name} stream`] = async (model) => {
    let whole;
    for await (const chunk of await make(model).stream("Hello"))
      whole = whole === undefined ? chunk : whole.concat(chunk);
    return shown(whole);
  };
  steps[`${name} tools`] = async (model) => {
    const bound = make(model).bindTools([get]);
    const first = await bound.invoke("Weather?");
    const results = first.tool_calls.map(({ id }) => new ToolMessage({ tool_call_id: id, content: "rain" }));
    return shown(await bound.invoke([new HumanMessage("Weather?"), first, ...results]));
  };
}
await run(steps);
