import type { FormatName } from "../draft.ts";
import type { AnswerReader } from "./answer.ts";
import { compact, type JsonObject } from "./json.ts";
import { readChat } from "./read-chat.ts";
import { readMessages } from "./read-messages.ts";
import { readResponses } from "./read-responses.ts";
import type { Settings } from "./settings.ts";

/** A public format, as the playground speaks it. */
interface Format {
  readonly label: string;
  /** Address of the route. */
  readonly path: string;
  /** The reasoning efforts that a model takes. */
  readonly efforts: readonly string[];
  readonly write: (settings: Settings) => JsonObject;
  readonly reader: AnswerReader;
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** The public formats. */
export const FORMATS: Record<FormatName, Format> = {
  chat: {
    label: "Chat",
    path: "/v1/chat/completions",
    efforts: ["none", "minimal", ...EFFORTS],
    write: writeChat,
    reader: readChat,
  },
  responses: {
    label: "Responses",
    path: "/v1/responses",
    efforts: ["none", "minimal", ...EFFORTS],
    write: writeResponses,
    reader: readResponses,
  },
  messages: {
    label: "Messages",
    path: "/v1/messages",
    efforts: EFFORTS,
    write: writeMessages,
    reader: readMessages,
  },
};

/** Writes a request of Chat Completions. */
function writeChat(settings: Settings): JsonObject {
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

/** Writes a request of Messages. A model that is told how hard to try is also told that it may think. */
function writeMessages(settings: Settings): JsonObject {
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

/** Writes a request of Responses. Reasoning is summed up, so that there is something to see of it. */
function writeResponses(settings: Settings): JsonObject {
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
