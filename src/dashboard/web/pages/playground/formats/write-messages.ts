import { compact, type JsonObject } from "./json.ts";
import type { Settings } from "./settings.ts";

/** Writes a request of Messages. A model that is told how hard to try is also told that it may think. */
export function writeMessages(settings: Settings): JsonObject {
  const { turns, effort, schema } = settings;
  const format = schema === undefined ? undefined : { type: "json_schema", schema };
  const hasConfig = effort !== undefined || format !== undefined;
  return compact({
    model: settings.model,
    max_tokens: settings.maxTokens,
    system: settings.system,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    temperature: settings.temperature,
    thinking: effort === undefined ? undefined : { type: "adaptive" },
    output_config: hasConfig ? compact({ effort, format }) : undefined,
    tools: settings.tools?.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    stream: settings.streams ? true : undefined,
  });
}
