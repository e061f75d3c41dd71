import { brokenAnswer } from "../../shared/broken-answer.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { TextPiece } from "./block-writer.ts";

const KNOWN_THINKING = new Set(["type", "thinking", "signature", "closed"]);

/**
 * Reads a list of parts, as Mistral's reasoning models answer with: `text`, `refusal`, and `thinking`, which holds
 * parts too (docs.mistral.ai, ThinkChunk); or `reasoning`, as Databricks has it. Parts of unknown types go to
 * `unknown`. Throws STREAM_INTERRUPTED for what is no part.
 */
export function readContentParts(parts: readonly unknown[], unknown: (part: JsonObject) => void): TextPiece[] {
  return parts.flatMap((part): TextPiece[] => {
    if (typeof part === "string") return piecesOf("text", part);
    if (!isJsonObject(part)) throw brokenAnswer("content must be text or a list of parts");
    switch (part.type) {
      case "text":
      case "output_text":
        return piecesOf("text", part.text);
      case "refusal":
        return piecesOf("refusal", part.refusal);
      case "thinking":
        return readThinking(part, unknown);
      case "reasoning":
        return readSummary(part, unknown);
      default:
        unknown(part);
        return [];
    }
  });
}

function readThinking(part: JsonObject, unknown: (part: JsonObject) => void): TextPiece[] {
  const { thinking, signature } = part;
  const inner = Array.isArray(thinking)
    ? readContentParts(thinking, unknown).flatMap(({ text }) => piecesOf("thinking", text))
    : piecesOf("thinking", thinking);
  const extra = extraMembers(part, KNOWN_THINKING);
  return typeof signature === "string" && signature !== ""
    ? [...inner, { kind: "signature", text: signature, extra }]
    : inner;
}

/** Databricks has the thoughts of Claude as a summary, whose parts are signed. */
function readSummary({ summary, ...part }: JsonObject, unknown: (part: JsonObject) => void): TextPiece[] {
  if (!Array.isArray(summary) || !summary.every(isJsonObject)) {
    unknown({ ...part, summary });
    return [];
  }
  return summary.flatMap(({ text, signature }) => [
    ...piecesOf("thinking", text),
    ...(typeof signature === "string" && signature !== "" ? piecesOf("signature", signature) : []),
  ]);
}

function piecesOf(kind: TextPiece["kind"], text: unknown): TextPiece[] {
  if (text === undefined || text === null || text === "") return [];
  if (typeof text !== "string") throw brokenAnswer(`a part of content must have ${kind} that is text`);
  return [{ kind, text }];
}

/** Returns the list if it has items. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** An annotation of the text so far. */
export interface AnnotationPiece {
  readonly kind: "annotation";
  readonly annotation: JsonObject;
}

/** Annotations of any other form stay members that only this format knows. */
export function annotationsOf({ annotations }: JsonObject): readonly JsonObject[] {
  return Array.isArray(annotations) && annotations.every(isJsonObject) ? annotations : [];
}
