import Anthropic from "@anthropic-ai/sdk";
import { key, run, url } from "./steps.mjs";

const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
const asked = { max_tokens: 1000, messages: [{ role: "user", content: "Hello" }] };
const textOf = ({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");

await run({
  async messages(model) {
    const message = await client.messages.create({ model, ...asked });
    return { id: message.id, text: textOf(message) };
  },
  async stream(model) {
    const message = await client.messages.stream({ model, ...asked }).finalMessage();
    return { id: message.id, text: textOf(message) };
  },
  async tools(model) {
    const input_schema = { type: "object", properties: { city: { type: "string" } } };
    const get = { name: "get_weather", description: "Weather", input_schema, run: ({ city }) => `rain in ${city}` };
    const message = await client.beta.messages.toolRunner({
      model,
      ...asked,
      tools: [{ ...get, parse: (input) => input }],
    });
    return { id: message.id, text: textOf(message) };
  },
  async "token count"(model) {
    const { input_tokens } = await client.messages.countTokens({ model, messages: asked.messages });
    return { text: input_tokens > 0 ? "Grüße 🌍" : "none" };
  },
});
