import { create } from "@bufbuild/protobuf";
import { type ThinkingBlock, ThinkingBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { optional, readArray, readObject, readString, WireError } from "../shared/read.ts";

/** The readable and the encrypted parts of reasoning. */
interface ReasoningParts {
  readonly summary: readonly string[];
  readonly text: string;
  readonly opaque?: string | undefined;
}

/** Encodes the members of a reasoning item beside its type and id. Inverse of decodeReasoningItem. */
export function reasoningMembers({ summary, text, opaque }: ReasoningParts): JsonObject {
  return {
    summary: summary.map((part) => ({ type: "summary_text", text: part })),
    ...(text === "" ? {} : { content: [{ type: "reasoning_text", text }] }),
    ...(opaque === undefined ? {} : { encrypted_content: opaque }),
  };
}

/**
 * Decodes a reasoning item; undefined if it holds parts that the hub does not know, more raw parts than one, or an
 * empty encrypted form (which the hub takes for one that nobody here can read), so that the item must be kept whole.
 * Throws WireError.
 */
export function decodeReasoningItem(item: JsonObject, path: string): ThinkingBlock | undefined {
  const summary = decodeTexts(item.summary, `${path}.summary`, "summary_text");
  const content = decodeTexts(item.content, `${path}.content`, "reasoning_text");
  if (summary === undefined || content === undefined || content.length > 1) return undefined;
  if (item.encrypted_content === "") return undefined;
  return create(ThinkingBlockSchema, {
    id: optional(item.id, `${path}.id`, readString) ?? "",
    summary,
    text: content[0] ?? "",
    opaque: optional(item.encrypted_content, `${path}.encrypted_content`, readString),
  });
}

function decodeTexts(value: unknown, path: string, type: string): string[] | undefined {
  const parts = optional(value, path, readArray) ?? [];
  const texts: string[] = [];
  for (const [index, part] of parts.entries()) {
    const partPath = `${path}[${index}]`;
    const { type: partType, text, ...rest } = readObject(part, partPath);
    if (typeof partType !== "string") throw new WireError(`${partPath}.type`, `is required: '${type}'`);
    if (partType !== type || Object.keys(rest).length > 0) return undefined;
    texts.push(readString(text, `${partPath}.text`));
  }
  return texts;
}

/** Returns the texts of the parts of an upstream's reasoning item, leniently: some servers write one text. */
export function readTexts(value: unknown): string[] {
  if (typeof value === "string" && value !== "") return [value];
  if (!Array.isArray(value)) return [];
  return value.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""));
}
