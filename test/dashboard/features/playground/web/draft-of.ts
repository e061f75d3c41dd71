import { type Draft, newDraft } from "../../../../../src/dashboard/features/playground/web/draft.ts";

/** Makes a draft that asks hello of a model of the Messages family, which all formats take. */
export function draftOf(changes: Partial<Draft> = {}): Draft {
  return { ...newDraft("attune/claude-haiku-5-5"), turns: [{ key: 0, role: "user", text: "Hello" }], ...changes };
}

/** A tool, as the page takes it. */
export const TOOLS = `[{"name": "get_weather", "description": "Tells the weather",
  "parameters": {"type": "object", "properties": {"city": {"type": "string", "default": "Rome"}}, "required": ["city"]}}]`;

/** An output schema, as the page takes it. */
export const SCHEMA = '{"type": "object", "properties": {"city": {"type": "string"}}}';
