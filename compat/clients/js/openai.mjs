import OpenAI from "openai";
import { key, run, url } from "./steps.mjs";

const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
const messages = [{ role: "user", content: "Hello" }];
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

await run({
  async chat(model) {
    const { id, choices } = await client.chat.completions.create({ model, messages });
    return { id, text: choices[0].message.content };
  },
  async "chat stream"(model) {
    const { id, choices } = await client.chat.completions.stream({ model, messages }).finalChatCompletion();
    return { id, text: choices[0].message.content };
  },
  async "chat tools"(model) {
    const get = {
      name: "get_weather",
      description: "Weather",
      parameters,
      parse: JSON.parse,
      function: ({ city }) => `rain in ${city}`,
    };
    const runner = client.chat.completions.runTools({ model, messages, tools: [{ type: "function", function: get }] });
    return { text: await runner.finalContent() };
  },
  async responses(model) {
    const { id, output_text: text } = await client.responses.create({ model, input: "Hello" });
    return { id, text };
  },
  async "responses stream"(model) {
    const { id, output_text: text } = await client.responses.stream({ model, input: "Hello" }).finalResponse();
    return { id, text };
  },
  async "responses tools"(model) {
    const tools = [{ type: "function", name: "get_weather", parameters, strict: false }];
    const first = await client.responses.create({ model, input: "Weather?", tools });
    const results = first.output.filter(({ type }) => type === "function_call");
    const input = results.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "rain" }));
    const { output_text: text, id } = await client.responses.create({
      model,
      tools,
      input,
      previous_response_id: first.id,
    });
    return { id, text };
  },
});
