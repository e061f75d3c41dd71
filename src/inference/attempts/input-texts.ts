import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import { blockTexts } from "../../hub/block-texts.ts";
import type { HubInput } from "../../hub/input.ts";

/** Members of a JSON schema whose texts their author wrote; names of properties are needed to mend a schema. */
const WRITTEN = new Set(["description", "title", "enum", "const", "default", "example", "examples"]);

/** Most levels of a schema that are looked into. */
const MOST_LEVELS = 64;

/**
 * Yields the texts of a request that an upstream's refusal may repeat: what people and models wrote, who asks, and
 * where pictures are. Names of tools and of properties are not among them.
 */
export function* inputTexts(input: HubInput): Generator<string> {
  for (const { content } of input.messages) yield* blockTexts(content, false);
  yield* blockTexts(input.system, false);
  yield* input.stopSequences;
  yield input.endUserId ?? "";
  yield* Object.values(input.metadata);
  yield* textsOfJson(input.extension?.json, true);
  for (const tool of input.tools) yield* toolTexts(tool);
  const format = input.outputFormat?.kind;
  if (format?.case === "jsonSchema") yield* textsOfJson(format.value.schemaJson, false);
  for (const { content } of input.messages) yield* mediaTexts(content);
}

function* toolTexts({ kind }: Tool): Generator<string> {
  if (kind.case !== "function" && kind.case !== "custom") return;
  yield kind.value.description ?? "";
  yield* textsOfJson(kind.case === "function" ? kind.value.parametersJson : kind.value.formatJson, false);
}

/** Yields the texts of JSON that its author wrote; `isWritten`: all of them. What is not JSON has none. */
function* textsOfJson(json: string | undefined, isWritten: boolean): Generator<string> {
  if (json === undefined) return;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return;
  }
  yield* writtenIn(value, isWritten);
}

function* writtenIn(value: unknown, isWritten: boolean, level = 0): Generator<string> {
  if (typeof value === "string") {
    if (isWritten) yield value;
  } else if (typeof value === "object" && value !== null && level < MOST_LEVELS) {
    for (const [name, member] of Object.entries(value)) {
      yield* writtenIn(member, isWritten || WRITTEN.has(name), level + 1);
    }
  }
}

function* mediaTexts(blocks: readonly ContentBlock[]): Generator<string> {
  for (const { kind } of blocks) {
    if (kind.case === "toolResult") yield* mediaTexts(kind.value.content);
    if (kind.case !== "image" && kind.case !== "document") continue;
    const { source } = kind.value;
    if (source.case === "url") yield source.value;
    if (source.case === "inline") yield source.value.base64;
  }
}
