import type { Inbound, UpstreamKind } from "./topic.ts";

const WEATHER = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TIME = {
  type: "object",
  properties: { zone: { type: "string" } },
  required: ["zone"],
  additionalProperties: false,
};

/** Two tools, as each format defines them; its members stand in the order in which they are sent on. */
export const TOOLS = {
  chat: [
    {
      type: "function",
      function: { name: "get_weather", description: "Weather of a city", parameters: WEATHER, strict: true },
    },
    { type: "function", function: { name: "get_time", description: "Time of a zone", parameters: TIME, strict: true } },
  ],
  responses: [
    { type: "function", name: "get_weather", description: "Weather of a city", parameters: WEATHER, strict: true },
    { type: "function", name: "get_time", description: "Time of a zone", parameters: TIME, strict: true },
  ],
  messages: [
    { name: "get_weather", description: "Weather of a city", input_schema: WEATHER, strict: true },
    { name: "get_time", description: "Time of a zone", input_schema: TIME, strict: true },
  ],
} as const satisfies Record<Inbound, readonly object[]>;

/** The format that a kind of upstream speaks. */
export const FORMAT: Readonly<Record<UpstreamKind, Inbound>> = {
  "openai-chat": "chat",
  "openai-responses": "responses",
  "anthropic-messages": "messages",
};

/** A request about tools, as an upstream receives it. */
export interface ToolRequest {
  /** The conversation in the upstream's format: messages or items, with commas between them. */
  readonly conversation: string;
  /** Members after the conversation, such as `"tools":[...]`, in their order. */
  readonly members?: readonly string[];
  /** Members that steer the answer, such as its format: they stand behind the limit. */
  readonly options?: readonly string[];
}

/**
 * Members of the request between the model and `stream`. A Messages caller asks for 64 tokens, the others set no limit.
 */
export function requestMembers(inbound: Inbound, kind: UpstreamKind, request: ToolRequest): string {
  const { conversation, members = [], options = [] } = request;
  const isLimited = inbound === "messages";
  const limit = (name: string): readonly string[] => (isLimited ? [`"${name}":64`] : []);
  const parts: Readonly<Record<UpstreamKind, readonly string[]>> = {
    "openai-chat": [`"messages":[${conversation}]`, ...members, ...limit("max_tokens")],
    "openai-responses": [`"input":[${conversation}]`, ...members, ...limit("max_output_tokens")],
    "anthropic-messages": [`"max_tokens":${isLimited ? 64 : 4096}`, `"messages":[${conversation}]`, ...members],
  };
  return [...parts[kind], ...options].join(",");
}

/** A user's text as the one message of a request. */
export function userSays(kind: UpstreamKind, text: string): string {
  const message = `"role":"user","content":${JSON.stringify(text)}`;
  return kind === "openai-responses" ? `{"type":"message",${message}}` : `{${message}}`;
}
