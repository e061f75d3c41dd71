import { createHash } from "node:crypto";
import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The features of an answer that are compared. No text can be recovered from them. */
export interface AnswerFeatures {
  /** SHA-256 of all that the caller sees of it. */
  readonly exact: string;
  /** Characters of text and of tool arguments. */
  readonly length: number;
  /** Number of the reason for which it ended. */
  readonly finish: number;
  /** The class of the tools that it calls: 0 for none, else 1 to `TOOL_KINDS` - 1 by a hash of their names. */
  readonly tools: number;
  /** Hashes of its pieces of five characters, each once and in order. */
  readonly pieces: Uint32Array;
}

/** Different choices of tools that are told apart. */
export const TOOL_KINDS = 16;

/** Characters of an answer whose pieces are taken: longer ones differ early. */
const MOST_CHARACTERS = 16_384;
const PIECE = 5;

/**
 * Takes from an answer what is compared. Reasoning is left out: providers show it, sum it up or hide it as they like.
 */
export function readFeatures({ content, finished }: GenerateResponse): AnswerFeatures {
  const texts = content.map(getText);
  const text = texts.join("\u0000");
  const finish = finished?.reason ?? FinishReason.UNSPECIFIED;
  const called = content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value.name] : []));
  return {
    exact: createHash("sha256")
      .update(JSON.stringify([finish, texts]))
      .digest("base64"),
    length: texts.reduce((total, { length }) => total + length, 0),
    finish,
    tools: called.length === 0 ? 0 : 1 + (hash(called.join("\u0000")) % (TOOL_KINDS - 1)),
    pieces: getPieces(text.slice(0, MOST_CHARACTERS)),
  };
}

/**
 * Returns how far two answers are apart in their words, 0 to 1: the part of their pieces that only one of them has
 * (Jaccard).
 */
export function textDistance({ pieces: one }: AnswerFeatures, { pieces: other }: AnswerFeatures): number {
  let [i, j, common] = [0, 0, 0];
  while (i < one.length && j < other.length) {
    const [a = 0, b = 0] = [one[i], other[j]];
    if (a === b) common++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  const all = one.length + other.length - common;
  return all === 0 ? 0 : 1 - common / all;
}

/** Ids of tool calls are left out: each answer has its own. */
function getText({ kind }: ContentBlock): string {
  switch (kind.case) {
    case "text":
    case "refusal":
      return kind.value.text;
    case "toolUse":
      return `${kind.value.name}\u0000${kind.value.arguments}`;
    default:
      return "";
  }
}

function getPieces(text: string): Uint32Array {
  const pieces = new Set<number>();
  for (let at = 0; at + PIECE <= text.length; at++) pieces.add(hash(text.slice(at, at + PIECE)));
  // What is shorter than a piece is one.
  if (pieces.size === 0 && text.length > 0) pieces.add(hash(text));
  return Uint32Array.from(pieces).sort();
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
