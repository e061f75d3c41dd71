import { extraMembers, isJsonObject, type JsonObject, toText } from "../../shared/json.ts";
import type { TextPiece } from "./block-writer.ts";

const KNOWN = new Set(["type", "text", "summary", "signature", "data"]);

/** Names of the text of reasoning; Copilot has the third. Servers that changed the name send both for a while. */
const TEXTS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;

function getText(delta: JsonObject): string | undefined {
  for (const name of TEXTS) {
    const text = delta[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** Tells whether entries have the whole text that stands beside them, apart from the lines between blocks. */
function haveText(entries: readonly JsonObject[], text: string): boolean {
  const joined = entries.map((entry) => toText(entry.text) + toText(entry.summary)).join("");
  return joined !== "" && joined.replaceAll("\n", "") === text.replaceAll("\n", "");
}

/** Types of the entries of `thinking_blocks` that are read. */
const BLOCKS: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

/** Returns a message without the `thinking_blocks` that other formats have as reasoning. */
export function withoutReadBlocks(told: JsonObject): JsonObject {
  if (told.thinking_blocks === undefined) return told;
  const { thinking_blocks: blocks, ...message } = told;
  const unknown = Array.isArray(blocks)
    ? blocks.filter((block) => !isJsonObject(block) || !BLOCKS.has(block.type))
    : [];
  return unknown.length === 0 ? message : { ...message, thinking_blocks: unknown };
}

/**
 * Reads reasoning from deltas: a text under the names that servers have for it, `reasoning_details` or LiteLLM's
 * `thinking_blocks` (docs.litellm.ai/docs/reasoning_content) for the rest.
 */
export class ReasoningReader {
  #hasText = false;
  /** The text so far of a block of `thinking_blocks`: the entry with its seal repeats it (litellm#31022). */
  #blockText = "";

  /** Returns what a delta says; entries of unknown types go to `unknown`. */
  read(delta: JsonObject, unknown: (entry: JsonObject) => void): TextPiece[] {
    const entries = this.#listEntries(delta);
    const text = getText(delta);
    const isTold = text === undefined || (!this.#hasText && haveText(entries, text));
    this.#hasText ||= !isTold;
    const said = entries.flatMap((entry) => this.#readEntry(entry, unknown));
    return isTold ? said : [{ kind: "thinking", text }, ...said];
  }

  #listEntries({ reasoning_details: details, thinking_blocks: blocks }: JsonObject): readonly JsonObject[] {
    if (Array.isArray(details) && details.length > 0) return details.filter(isJsonObject);
    return Array.isArray(blocks) ? blocks.filter(isJsonObject).flatMap((block) => this.#readBlock(block)) : [];
  }

  /** Returns a block as an entry of `reasoning_details`; those of unknown types reach callers in the list itself. */
  #readBlock({ type, thinking, signature, ...block }: JsonObject): JsonObject[] {
    if (type === "redacted_thinking") return [{ ...block, type: "reasoning.encrypted" }];
    if (type !== "thinking") return [];
    const text = toText(thinking);
    const seal = toText(signature);
    const isRepeated = seal !== "" && text === this.#blockText;
    this.#blockText = seal === "" ? this.#blockText + text : "";
    const entry = { ...block, type: "reasoning.text", text: isRepeated ? "" : text };
    return [seal === "" ? entry : { ...entry, signature: seal }];
  }

  #readEntry(entry: JsonObject, unknown: (entry: JsonObject) => void): TextPiece[] {
    switch (entry.type) {
      case "reasoning.text":
        return [...this.#readText("thinking", entry.text), ...readSealed("signature", entry.signature, entry)];
      case "reasoning.summary":
        return this.#readText("summary", entry.summary);
      case "reasoning.encrypted":
        return readSealed("encrypted", entry.data, entry);
      default:
        unknown(entry);
        return [];
    }
  }

  /** Reads text of reasoning; where it came by its own member, the details only repeat it. */
  #readText(kind: "thinking" | "summary", text: unknown): TextPiece[] {
    return this.#hasText || typeof text !== "string" || text === "" ? [] : [{ kind, text }];
  }
}

function readSealed(kind: "signature" | "encrypted", text: unknown, entry: JsonObject): TextPiece[] {
  return typeof text === "string" ? [{ kind, text, extra: extraMembers(entry, KNOWN) }] : [];
}
