import type { CachedParts } from "../../../hub/upstream.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { JsonText } from "../../shared/json-text.ts";

/** A prompt in the blocks of the format, in its order. */
export interface PromptBlocks {
  readonly tools: readonly JsonObject[];
  readonly system: readonly JsonObject[];
  readonly messages: readonly { readonly role: unknown; readonly content: readonly JsonObject[] }[];
}

/** Characters of a token at most, as a rule: what is long enough by this is long enough. */
const CHARACTERS_PER_TOKEN = 4;

/** Blocks that take a mark, but for texts without a word. */
const MARKABLE: ReadonlySet<unknown> = new Set(["text", "image", "document", "tool_use", "tool_result"]);

/**
 * Marks the ends of the parts of a prompt that its cache is to keep, and returns how many marks that took, 4 at most.
 * The tools end with a mark, and the system prompt does, so that other conversations find them; the conversation with
 * one at its end and one where it ended in the request before: there an entry is found again, however many blocks a
 * turn has. A mark therefore stands where one stood, or will stand, in the other requests of the conversation. A prefix
 * shorter than `minTokens`, which no cache keeps, is not marked. A prompt that has marks of its caller's own is left as
 * it is.
 */
export function markParts(prompt: PromptBlocks, { prefix, conversation }: CachedParts, minTokens: number): number {
  const { tools, system, messages } = prompt;
  if ([...tools, ...system, ...messages.flatMap(({ content }) => content)].some(isMarked)) return 0;
  const ends = [
    ...(prefix ? [tools.findLast((tool) => tool["defer_loading"] !== true), lastMarkable(system)] : []),
    ...(conversation ? endsOfTurns(messages) : []),
  ];
  const wanted = new Set(ends.filter((block) => block !== undefined));
  let characters = 0;
  let marks = 0;
  for (const block of [...tools, ...system, ...messages.flatMap(({ content }) => content)]) {
    characters += getLength(block);
    if (!wanted.has(block) || characters < minTokens * CHARACTERS_PER_TOKEN) continue;
    block["cache_control"] = { type: "ephemeral" };
    marks += 1;
  }
  return marks;
}

function isMarked(block: JsonObject): boolean {
  if (block["cache_control"] !== undefined && block["cache_control"] !== null) return true;
  const { content } = block;
  return Array.isArray(content) && content.some((inner) => isJsonObject(inner) && isMarked(inner));
}

/** The last block of the user's latest turn, and of the one that the model answered last. */
function endsOfTurns(messages: PromptBlocks["messages"]): (JsonObject | undefined)[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const answer = messages.findLastIndex(({ role }, index) => index < last && role === "assistant");
  const before = messages.findLastIndex(({ role }, index) => index < answer && role === "user");
  return [before, last].map((index) => lastMarkable(messages[index]?.content ?? []));
}

function lastMarkable(blocks: readonly JsonObject[]): JsonObject | undefined {
  return blocks.findLast(({ type, text }) => MARKABLE.has(type) && (type !== "text" || text !== ""));
}

/** Characters of what a block says; the bytes of images and files are no text. */
function getLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce<number>((total, item) => total + getLength(item), 0);
  if (value instanceof JsonText) return getLength(value.toJSON());
  if (!isJsonObject(value)) return 0;
  let total = 0;
  for (const name in value) if (name !== "data") total += getLength(value[name]);
  return total;
}
