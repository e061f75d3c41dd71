import { compact, type JsonObject } from "./json.ts";
import type { Settings } from "./settings.ts";

/** Writes a request of Chat Completions. */
export function writeChat(settings: Settings): JsonObject {
  const { system, turns, streams, schema } = settings;
  const first = system === undefined ? [] : [{ role: "system", content: system }];
  return compact({
    model: settings.model,
    messages: [...first, ...turns.map(({ role, text }) => ({ role, content: text }))],
    max_completion_tokens: settings.maxTokens,
    temperature: settings.temperature,
    reasoning_effort: settings.effort,
    tools: settings.tools?.map((tool) => ({ type: "function", function: tool })),
    response_format:
      schema === undefined ? undefined : { type: "json_schema", json_schema: { name: "answer", schema } },
    stream: streams ? true : undefined,
    stream_options: streams ? { include_usage: true } : undefined,
  });
}
