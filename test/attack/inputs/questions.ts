import type { Request } from "../http/request.ts";
import { frame } from "./frames.ts";

/** How an answer is asked for: in one of the formats, or over RPC. */
export type Question = (typeof QUESTIONS)[number];
export const QUESTIONS = ["chat", "responses", "messages", "rpc"] as const;

/** What is asked for. */
export interface Asked {
  readonly model: string;
  readonly isStream: boolean;
  /** Whether JSON is asked for. */
  readonly isChecked: boolean;
  readonly text: string;
  readonly key: string;
  readonly headers?: readonly (readonly [string, string])[];
}

/** Asks for JSON. */
const AS_JSON: Readonly<Record<Question, object>> = {
  chat: { response_format: { type: "json_object" } },
  responses: { text: { format: { type: "json_object" } } },
  messages: { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
  rpc: { outputFormat: { jsonObject: {} } },
};

/** Makes the request that asks for an answer to a text, in a format or over RPC. */
export function makeQuestion(question: Question, { model, isStream, isChecked, text, key, ...others }: Asked): Request {
  const form = isChecked ? AS_JSON[question] : {};
  const messages = [{ role: "user", content: text }];
  const headers = [["authorization", `Bearer ${key}`] as const, ...(others.headers ?? [])];
  if (question === "rpc") {
    const method = isStream ? "StreamGenerate" : "Generate";
    const input = { model, messages: [{ role: "ROLE_USER", content: [{ text: { text } }] }], ...form };
    const body = Buffer.from(JSON.stringify({ input }));
    const type = isStream ? "application/connect+json" : "application/json";
    return {
      method: "POST",
      path: `/attune.inference.v1.InferenceService/${method}`,
      headers: [...headers, ["content-type", type]],
      body: isStream ? frame(body) : body,
    };
  }
  const [path, body] = {
    chat: ["/v1/chat/completions", { model, messages, stream: isStream }],
    responses: ["/v1/responses", { model, input: text, stream: isStream }],
    messages: ["/v1/messages", { model, max_tokens: 4096, messages, stream: isStream }],
  }[question] as [string, object];
  return {
    method: "POST",
    path,
    headers: [...headers, ["content-type", "application/json"]],
    body: Buffer.from(JSON.stringify({ ...body, ...form })),
  };
}
