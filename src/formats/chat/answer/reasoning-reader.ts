import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { TextPiece } from "./block-writer.ts";

const KNOWN = new Set(["type", "text", "summary", "signature", "data"]);

/** Names of the text of reasoning; Copilot has the third. Servers that changed the name send both for a while. */
const TEXTS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;

function textOf(delta: JsonObject): string | undefined {
  for (const name of TEXTS) {
    const text = delta[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** Reads reasoning from deltas: a text under the names that servers have for it, `reasoning_details` for the rest. */
export class ReasoningReader {
  #hasText = false;

  /** Returns what a delta says; entries of unknown types go to `unknown`. */
  read(delta: JsonObject, unknown: (entry: JsonObject) => void): TextPiece[] {
    const pieces: TextPiece[] = [];
    const text = textOf(delta);
    if (text !== undefined) {
      this.#hasText = true;
      pieces.push({ kind: "thinking", text });
    }
    if (!Array.isArray(delta.reasoning_details)) return pieces;
    for (const entry of delta.reasoning_details) {
      if (isJsonObject(entry)) pieces.push(...this.#readEntry(entry, unknown));
    }
    return pieces;
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
