import { writeFileSync } from "node:fs";
import { key as apiKey, print, run, url } from "./steps.mjs";

const models = Object.fromEntries(
  ["chat", "responses", "messages"].flatMap((kind) =>
    [kind, `${kind}-refused`, `${kind}-limited`].map((name) => [`attune/${name}-model`, { name, tool_call: true }]),
  ),
);
const provider = {
  attune: { npm: "@ai-sdk/openai-compatible", name: "Attune", options: { baseURL: `${url}/v1`, apiKey }, models },
};
writeFileSync(
  "opencode.json",
  JSON.stringify({ $schema: "https://opencode.ai/config.json", provider, permission: { bash: "allow" } }),
);

await run({
  async "a loop with its shell"(model) {
    const text = await print("opencode", ["run", "--model", `attune/${model}`, "--format", "json", "Look around"]);
    if (!/looked/.test(text)) throw new Error(`its shell did not run: ${text.slice(-2000)}`);
    return { text };
  },
});
