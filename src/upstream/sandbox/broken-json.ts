import { hash } from "node:crypto";
import { ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import type { Answer, AnswerPart } from "./answer.ts";

/** Draws which answers are broken: the same ones in the same order each time, in `percent` of 100 in the long run. */
export function createBreakDraw(): (percent: number) => boolean {
  let count = 0;
  return (percent) => {
    const drawn = Number.parseInt(hash("sha256", `broken-json ${count++}`).slice(0, 12), 16) / 2 ** 48;
    return drawn * 100 < percent;
  };
}

/**
 * Takes the last character off the JSON of an answer, and off the arguments of its calls: what is no JSON stays as it
 * is.
 */
export function withBrokenJson(answer: Answer): Answer {
  return { ...answer, parts: answer.parts.map(broken) };
}

function broken(part: AnswerPart): AnswerPart {
  if (part.kind === "toolUse") return part.toolKind === ToolKind.FUNCTION ? { ...part, text: cut(part.text) } : part;
  return part.kind === "text" && isJson(part.text) ? { ...part, text: cut(part.text) } : part;
}

function cut(text: string): string {
  return text.slice(0, -1);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
