import { anthropic } from "@genkit-ai/anthropic";
import { openAICompatible } from "@genkit-ai/compat-oai";
import { genkit, z } from "genkit";
import { logger } from "genkit/logging";
import { key as apiKey, run, url } from "./steps.mjs";

// Its Anthropic plugin has no option for the address.
process.env.ANTHROPIC_BASE_URL = url;
logger.setLogLevel("fatal");
const ai = genkit({
  // A plugin named "attune" doesn't find models whose names begin with it.
  plugins: [
    openAICompatible({ name: "compatible", apiKey, baseURL: `${url}/v1`, maxRetries: 0 }),
    anthropic({ apiKey }),
  ],
});
const get_weather = ai.defineTool(
  {
    name: "get_weather",
    description: "Weather",
    inputSchema: z.object({ city: z.string() }),
    outputSchema: z.string(),
  },
  async ({ city }) => `rain in ${city}`,
);
const shown = ({ text, raw }) => ({ text, id: raw?.id });

const steps = {};
for (const [name, provider] of Object.entries({ chat: "compatible", messages: "anthropic" })) {
  const ask = (model) => ({ model: `${provider}/${model}`, prompt: "Hello" });
  steps[name] = async (model) => shown(await ai.generate(ask(model)));
  steps[`${name} stream`] = async (model) => {
    const { stream, response } = ai.generateStream(ask(model));
    let text = "";
    for await (const chunk of stream) text += chunk.text;
    return { ...shown(await response), text };
  };
  steps[`${name} tools`] = async (model) => shown(await ai.generate({ ...ask(model), tools: [get_weather] }));
}
await run(steps);
