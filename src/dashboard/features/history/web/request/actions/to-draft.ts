import { type Draft, newDraft, type Turn } from "../../../../playground/web/draft.ts";
import { arrayAt, at, textAt } from "../../../../playground/web/formats/json.ts";

/** A draft of the playground, and what of the request is not in it. */
interface DraftOfRequest {
  readonly draft: Draft;
  /** Messages and parts that the playground has no field for, such as pictures and results of tools. */
  readonly leftOut: number;
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Reads a request of Chat Completions into the fields of the playground. */
export function toDraft(body: unknown, format: Draft["format"], workload: string): DraftOfRequest {
  const model = textAt(body, "model");
  const turns: Turn[] = [];
  const system: string[] = [];
  let leftOut = 0;
  for (const message of arrayAt(body, "messages")) {
    const role = textAt(message, "role");
    const { text, others } = readText(at(message, "content"));
    leftOut += others + arrayAt(message, "tool_calls").length;
    if (role === "system" || role === "developer") system.push(text);
    else if ((role === "user" || role === "assistant") && text !== "") turns.push({ key: turns.length, role, text });
    else if (role === "tool") leftOut += 1;
  }
  const effort = textAt(body, "reasoning_effort");
  const draft = {
    ...newDraft(model),
    format,
    workload,
    system: system.join("\n\n"),
    ...(turns.length === 0 ? {} : { turns }),
    maxTokens: written(at(body, "max_completion_tokens") ?? at(body, "max_tokens")),
    temperature: written(at(body, "temperature")),
    effort: EFFORTS.includes(effort) ? effort : "",
    tools: writeTools(arrayAt(body, "tools")),
    schema: written(at(body, "response_format", "json_schema", "schema")),
  };
  return { draft, leftOut };
}

function readText(content: unknown): { readonly text: string; readonly others: number } {
  if (typeof content === "string") return { text: content, others: 0 };
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.filter((part) => textAt(part, "type") === "text").map((part) => textAt(part, "text"));
  return { text: texts.join("\n\n"), others: parts.length - texts.length };
}

function writeTools(tools: readonly unknown[]): string {
  const functions = tools.flatMap((tool) => {
    const { name, description, parameters } = (at(tool, "function") ?? {}) as Readonly<Record<string, unknown>>;
    return typeof name === "string" ? [{ name, description, parameters }] : [];
  });
  return functions.length === 0 ? "" : JSON.stringify(functions, undefined, 2);
}

function written(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, undefined, 2);
}
