import { create } from "@bufbuild/protobuf";
import { type ThinkingBlock, ThinkingBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { type Member, textMember, type Values } from "../shared/member.ts";
import { readArray, readObject, readString, WireError } from "../shared/read.ts";
import { constant, list, request, text } from "../shared/schema.ts";

/** The readable and the encrypted parts of reasoning. */
interface ReasoningParts {
  readonly summary: readonly string[];
  readonly text: string;
  readonly opaque?: string | undefined;
}

/** Encodes the members of a reasoning item beside its type and id. Inverse of toThinking. */
export function reasoningMembers({ summary, text, opaque }: ReasoningParts): JsonObject {
  return {
    summary: summary.map((part) => ({ type: "summary_text", text: part })),
    ...(text === "" ? {} : { content: [{ type: "reasoning_text", text }] }),
    ...(opaque === undefined ? {} : { encrypted_content: opaque }),
  };
}

/** Describes a list of texts that stand in objects of a type; its value is null if there are other objects. */
function textsMember(type: string, description: string): Member<string[] | null> {
  const schema = request({ type: constant(type), text: text("The text") }, "A part", ["type", "text"]);
  return { read: (value, path) => decodeTexts(readArray(value, path), path, type), schema: list(schema, description) };
}

function decodeTexts(parts: readonly unknown[], path: string, type: string): string[] | null {
  const texts: string[] = [];
  for (const [index, part] of parts.entries()) {
    const partPath = `${path}[${index}]`;
    const { type: partType, text, ...rest } = readObject(part, partPath);
    if (typeof partType !== "string") throw new WireError(`${partPath}.type`, `is required: '${type}'`);
    if (partType !== type || Object.keys(rest).length > 0) return null;
    texts.push(readString(text, `${partPath}.text`));
  }
  return texts;
}

/** Members of a reasoning item beside its type. */
export const REASONING = {
  summary: textsMember("summary_text", "Summary"),
  content: textsMember("reasoning_text", "Reasoning"),
  encrypted_content: textMember("Reasoning that only its author can read"),
  id: textMember("Id of the item"),
};

/**
 * Returns the reasoning of an item; undefined if it holds parts that the hub does not know, more raw parts than one, or
 * an empty encrypted form (which the hub takes for one that nobody here can read), so that the item must be kept whole.
 */
export function toThinking(values: Values<typeof REASONING>): ThinkingBlock | undefined {
  const { summary = [], content = [], encrypted_content: opaque, id = "" } = values;
  if (summary === null || content === null || content.length > 1 || opaque === "") return undefined;
  return create(ThinkingBlockSchema, { id, summary, text: content[0] ?? "", opaque });
}

/** Returns the texts of the parts of an upstream's reasoning item, leniently: some servers write one text. */
export function readTexts(value: unknown): string[] {
  if (typeof value === "string" && value !== "") return [value];
  if (!Array.isArray(value)) return [];
  return value.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""));
}
