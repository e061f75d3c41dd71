import { type ContentBlock, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse, InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JudgeAnswer } from "../../../inference/ports.ts";
import { namesLanguage } from "./names-language.ts";
import { hasScript, proseOf, type Script, scriptOf } from "./prose-script.ts";

/** Longer conversations are not judged: any part of them may say what language is wanted. */
const MOST_CHARACTERS = 32_768;
/** What of a request, and of an answer, is counted. */
const COUNTED_CHARACTERS = 8192;
/** Letters from which the script of a request, and of an answer, is no chance. */
const ASKED_LETTERS = 20;
const SAID_LETTERS = 60;

/** What a conversation is written in. */
interface AskedScript {
  /** Script of the latest request. */
  readonly script: Script;
  /** All that was said so far. */
  readonly text: string;
}

/**
 * Holds the answers to a prompt against its script beside what they are judged by: one that is clearly in another has failed a check. Texts alone are
 * judged, and only where nothing in the conversation may ask for another language.
 */
export function withScriptCheck(judge: JudgeAnswer, input: InferenceInput): JudgeAnswer {
  let asked: { readonly known: AskedScript | undefined } | undefined;
  return async (answer, signal) => {
    const judged = await judge(answer, signal);
    asked ??= { known: askedScript(input) };
    if (asked.known === undefined || !isInOther(answer, asked.known)) return judged;
    const { verdict } = judged;
    return { ...judged, verdict: { ...verdict, failed: [...verdict.failed, "other_script"], isProven: false } };
  };
}

/** Undefined where that is not clear, or where it says nothing of what the answer should be in. */
function askedScript({ system, messages }: InferenceInput): AskedScript | undefined {
  const latest = messages.at(-1);
  if (latest?.role !== Role.USER) return undefined;
  let text = "";
  for (const block of [...system, ...messages.flatMap(({ content }) => content)]) {
    const said = textOf(block);
    // A picture may have any text, and what tools say is seldom prose.
    if (said === undefined) return undefined;
    text += `${said}\n`;
    if (text.length > MOST_CHARACTERS) return undefined;
  }
  if (namesLanguage(text)) return undefined;
  const request = latest.content.map((block) => textOf(block) ?? "").join("\n");
  const script = scriptOf(proseOf(request.slice(0, COUNTED_CHARACTERS)), ASKED_LETTERS);
  return script && { script, text };
}

function isInOther({ content }: GenerateResponse, asked: AskedScript): boolean {
  if (content.some(({ kind }) => kind.case === "toolUse")) return false;
  const text = content.map((block) => textOf(block) ?? "").join("");
  const script = scriptOf(proseOf(text.slice(0, COUNTED_CHARACTERS)), SAID_LETTERS);
  // Who writes some of it may be answered in it.
  return script !== undefined && script !== asked.script && !hasScript(asked.text, script);
}

function textOf({ kind }: ContentBlock): string | undefined {
  if (kind.case === "text") return kind.value.text;
  // What the model thinks is nothing that the user has read.
  return kind.case === "thinking" || kind.case === "redactedThinking" ? "" : undefined;
}
