import { compact, type JsonObject } from "./json.ts";
import type { Settings } from "./settings.ts";

/** Writes a request of Responses. Reasoning is summed up, so that there is something to see of it. */
export function writeResponses(settings: Settings): JsonObject {
  const { turns, effort, schema } = settings;
  return compact({
    model: settings.model,
    instructions: settings.system,
    input: turns.map(({ role, text }) => ({ role, content: text })),
    max_output_tokens: settings.maxTokens,
    temperature: settings.temperature,
    reasoning: effort === undefined ? undefined : { effort, summary: "auto" },
    tools: settings.tools?.map((tool) => ({ type: "function", ...tool, strict: false })),
    text: schema === undefined ? undefined : { format: { type: "json_schema", name: "answer", schema } },
    stream: settings.streams ? true : undefined,
  });
}
