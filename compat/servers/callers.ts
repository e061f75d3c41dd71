import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Route } from "./server.ts";

/** A request, in no format. */
export interface Asked {
  readonly prompt: string;
  readonly streamed?: boolean;
  readonly limit?: number;
  readonly stop?: string;
  /** Offers the tool `look`; "required" forces a call of some tool, "named" one of this; "bare" has its name alone. */
  readonly tool?: "auto" | "required" | "named" | "bare";
  /** Sends a call of before and its result, ahead of the prompt. */
  readonly hasResult?: boolean;
  /** Asks for an object that has a member `ok`, true or false. */
  readonly schema?: boolean;
  readonly n?: number;
  readonly effort?: "high";
  /** Shows a picture before the prompt. */
  readonly picture?: boolean;
  /** Called whenever text of a stream has come, with a function that leaves it. */
  readonly atText?: (leave: () => void) => void;
}

/** An answer, as an official client shows it. */
export interface Got {
  readonly id: string;
  readonly texts: readonly string[];
  readonly reasoning: string;
  /** In the words of Chat. */
  readonly finish: string;
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Asks a model with the official client of a format. `headers` of a whole answer go to `heard`. */
export type Caller = (model: string, asked: Asked, heard: (headers: Headers) => void) => Promise<Got>;

const SCHEMA = {
  type: "object" as const,
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
  additionalProperties: false,
};
const DESCRIBED = { name: "look", description: "Looks something up." };
const BARE = { name: "look" };
const CHOICES = { auto: "auto", required: "required", bare: "auto" } as const;
const USUAL_LIMIT = 200;
// One red dot.
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const PICTURE_URL = `data:image/png;base64,${PICTURE}`;

/** Returns a client of each format. */
export function createCallers(base: string, key: string): Record<Route, Caller> {
  const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0 });
  return { chat: chatCaller(openai), responses: responsesCaller(openai), messages: messagesCaller(anthropic) };
}

function chatCaller(client: OpenAI): Caller {
  return async (model, asked, heard) => {
    const { prompt, limit = USUAL_LIMIT, stop, tool, schema, n, effort, hasResult, picture } = asked;
    const shown = { type: "image_url" as const, image_url: { url: PICTURE_URL } };
    const content = picture ? [shown, { type: "text" as const, text: prompt }] : prompt;
    const call = { id: "call_1", type: "function" as const, function: { name: "look", arguments: '{"ok":true}' } };
    const before = [
      { role: "user" as const, content: "Look." },
      { role: "assistant" as const, content: null, tool_calls: [call] },
      { role: "tool" as const, tool_call_id: "call_1", content: "It is fine." },
    ];
    const named = { type: "function" as const, function: { name: "look" } };
    const body = {
      model,
      temperature: 0,
      max_completion_tokens: limit,
      messages: [...(hasResult ? before : []), { role: "user" as const, content }],
      ...(stop !== undefined && { stop }),
      ...(n !== undefined && { n }),
      ...(effort !== undefined && { reasoning_effort: effort }),
      ...((tool !== undefined || hasResult) && {
        tools: [{ type: "function" as const, function: tool === "bare" ? BARE : { ...DESCRIBED, parameters: SCHEMA } }],
      }),
      ...(tool !== undefined && { tool_choice: tool === "named" ? named : CHOICES[tool] }),
      ...(schema && {
        response_format: {
          type: "json_schema" as const,
          json_schema: { name: "answer", schema: SCHEMA, strict: true },
        },
      }),
    };
    if (asked.streamed) {
      const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
      stream.on("content", () => asked.atText?.(() => stream.abort()));
      return chatGot(await stream.finalChatCompletion());
    }
    const { data, response } = await client.chat.completions.create(body).withResponse();
    heard(response.headers);
    return chatGot(data);
  };
}

function chatGot({ id, choices, usage }: OpenAI.ChatCompletion): Got {
  const calls = choices[0]?.message.tool_calls ?? [];
  return {
    id,
    texts: choices.map(({ message }) => message.content ?? ""),
    reasoning: reasoningContent(choices[0]?.message),
    finish: choices[0]?.finish_reason ?? "",
    calls: calls.flatMap((call) =>
      "function" in call ? { name: call.function.name, args: call.function.arguments } : [],
    ),
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
  };
}

/** The clients' types do not have the member. */
function reasoningContent(message: object | undefined): string {
  return message !== undefined && "reasoning_content" in message ? String(message.reasoning_content) : "";
}

function responsesCaller(client: OpenAI): Caller {
  return async (model, asked, heard) => {
    const { prompt, limit = USUAL_LIMIT, tool, schema, effort, hasResult, picture } = asked;
    const shown = { type: "input_image" as const, detail: "auto" as const, image_url: PICTURE_URL };
    const content = picture ? [shown, { type: "input_text" as const, text: prompt }] : prompt;
    const before = [
      { role: "user" as const, content: "Look." },
      { type: "function_call" as const, call_id: "call_1", name: "look", arguments: '{"ok":true}' },
      { type: "function_call_output" as const, call_id: "call_1", output: "It is fine." },
    ];
    const body = {
      model,
      temperature: 0,
      max_output_tokens: limit,
      input: [...(hasResult ? before : []), { role: "user" as const, content }],
      ...(effort !== undefined && { reasoning: { effort } }),
      ...((tool !== undefined || hasResult) && {
        tools: [
          tool === "bare"
            ? { type: "function" as const, ...BARE, parameters: null, strict: null }
            : { type: "function" as const, ...DESCRIBED, parameters: SCHEMA, strict: true },
        ],
      }),
      ...(tool !== undefined && {
        tool_choice: tool === "named" ? { type: "function" as const, name: "look" } : CHOICES[tool],
      }),
      ...(schema && {
        text: { format: { type: "json_schema" as const, name: "answer", schema: SCHEMA, strict: true } },
      }),
    };
    if (asked.streamed) {
      const stream = client.responses.stream(body);
      stream.on("response.output_text.delta", () => asked.atText?.(() => stream.abort()));
      return responsesGot(await stream.finalResponse());
    }
    const { data, response } = await client.responses.create(body).withResponse();
    heard(response.headers);
    return responsesGot(data);
  };
}

function responsesGot({ id, output, status, incomplete_details: details, usage }: OpenAI.Responses.Response): Got {
  const calls = output.flatMap((item) =>
    item.type === "function_call" ? { name: item.name, args: item.arguments } : [],
  );
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const ended = calls.length > 0 ? "tool_calls" : "stop";
  return {
    id,
    texts: [parts.map((part) => (part.type === "output_text" ? part.text : "")).join("")],
    reasoning: output.flatMap((item) => (item.type === "reasoning" ? reasoningTexts(item) : [])).join(""),
    finish: status === "incomplete" && details?.reason === "max_output_tokens" ? "length" : ended,
    calls,
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
  };
}

function reasoningTexts({ summary, content = [] }: OpenAI.Responses.ResponseReasoningItem): string[] {
  return (content.length > 0 ? content : summary).map(({ text }) => text);
}

function messagesCaller(client: Anthropic): Caller {
  return async (model, asked, heard) => {
    const { prompt, limit = USUAL_LIMIT, stop, tool, schema, effort, hasResult, picture } = asked;
    const source = { type: "base64" as const, media_type: "image/png" as const, data: PICTURE };
    const shown = [
      { type: "image" as const, source },
      { type: "text" as const, text: prompt },
    ];
    const before = [
      { role: "user" as const, content: "Look." },
      {
        role: "assistant" as const,
        content: [{ type: "tool_use" as const, id: "call_1", name: "look", input: { ok: true } }],
      },
      {
        role: "user" as const,
        content: [
          { type: "tool_result" as const, tool_use_id: "call_1", content: "It is fine." },
          { type: "text" as const, text: prompt },
        ],
      },
    ];
    const config = {
      ...(effort !== undefined && { effort }),
      ...(schema && { format: { type: "json_schema" as const, schema: SCHEMA } }),
    };
    const choices = {
      auto: { type: "auto" },
      bare: { type: "auto" },
      required: { type: "any" },
      named: { type: "tool", name: "look" },
    } as const;
    const body = {
      model,
      max_tokens: limit,
      messages: hasResult ? before : [{ role: "user" as const, content: picture ? shown : prompt }],
      ...(stop !== undefined && { stop_sequences: [stop] }),
      ...((tool !== undefined || hasResult) && {
        tools: [
          tool === "bare"
            ? { ...BARE, input_schema: { type: "object" as const } }
            : { ...DESCRIBED, input_schema: SCHEMA },
        ],
      }),
      ...(tool !== undefined && { tool_choice: choices[tool] }),
      ...(Object.keys(config).length > 0 && { output_config: config }),
    };
    if (asked.streamed) {
      const stream = client.messages.stream(body);
      stream.on("text", () => asked.atText?.(() => stream.abort()));
      return messagesGot(await stream.finalMessage());
    }
    const { data, response } = await client.messages.create(body).withResponse();
    heard(response.headers);
    return messagesGot(data);
  };
}

const FINISHES: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool_calls",
};

function messagesGot({ id, content, stop_reason: reason, usage }: Anthropic.Message): Got {
  const calls = content.flatMap((block) =>
    block.type === "tool_use" ? { name: block.name, args: JSON.stringify(block.input) } : [],
  );
  return {
    id,
    texts: [content.map((block) => (block.type === "text" ? block.text : "")).join("")],
    reasoning: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    finish: FINISHES[reason ?? ""] ?? String(reason),
    calls,
    inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    outputTokens: usage.output_tokens,
  };
}
