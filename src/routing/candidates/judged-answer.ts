import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { checkAnswer } from "../../inference/checks/check-answer.ts";
import type { JudgeTexts } from "../../inference/checks/check-thread.ts";
import type { RequestedForm } from "../../inference/checks/requested-form.ts";
import type { JudgedAnswer } from "../../inference/ports.ts";
import { isObject } from "../../lib/is-object.ts";
import { normalise, readFinalAnswer } from "./final-answer.ts";

/** An answer of at most so many characters is its own conclusion. */
const SHORT = 200;
/** Words that longer ones are compared by, and characters that these are looked for in. */
const MOST_WORDS = 5000;
const MOST_CHARACTERS = 50_000;
/** A word; of scripts that put no spaces between them, a character. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

const NO_WORDS: JudgedAnswer["words"] = new Map();

/**
 * Judges one of several answers by itself; `form` is what was asked of it, undefined if that is nothing. Never rejects.
 */
export async function judgeCandidate(
  answer: GenerateResponse,
  form: RequestedForm | undefined,
  judge: JudgeTexts,
): Promise<JudgedAnswer> {
  const verdict = await checkAnswer(answer, form, judge);
  return { verdict, ...comparable(answer), logProbability: meanLogProbability(answer) };
}

/** Returns what an answer is compared with others by: its calls of tools, or else its text. */
export function comparable(answer: GenerateResponse): Omit<JudgedAnswer, "verdict" | "logProbability"> {
  const answerText = getAnswerText(answer);
  const conclusion = getConclusion(answerText);
  const words = conclusion === undefined ? getWords(answerText.text) : NO_WORDS;
  return { conclusion, words, characters: answerText.text.length };
}

interface AnswerText {
  readonly kind: "calls" | "text";
  readonly text: string;
}

function getAnswerText({ content }: GenerateResponse): AnswerText {
  const calls = content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value] : []));
  if (calls.length > 0) {
    return {
      kind: "calls",
      text: calls.map(({ name, arguments: text }) => `${name} ${plainJson(text) ?? text}`).join("\n"),
    };
  }
  const texts = content.flatMap(({ kind }) => (kind.case === "text" ? [kind.value.text] : []));
  return { kind: "text", text: texts.join("").trim() };
}

function getConclusion({ kind, text }: AnswerText): string | undefined {
  if (text === "") return undefined;
  if (kind === "calls") return text.length <= SHORT ? `calls ${text}` : undefined;
  const json = plainJson(text);
  if (json !== undefined) return json.length <= SHORT ? `json ${json}` : undefined;
  const final = readFinalAnswer(text);
  if (final !== undefined) return `text ${normalise(final)}`;
  return text.length <= SHORT ? `text ${normalise(text)}` : undefined;
}

/**
 * A JSON object or array in one way of writing it: members in the order of their names, no spaces. Undefined for all
 * else, and what is too long.
 */
function plainJson(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const sorted = (_: string, value: unknown): unknown =>
      isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
    return JSON.stringify(JSON.parse(text), sorted);
  } catch {
    return undefined;
  }
}

function getWords(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  let left = MOST_WORDS;
  for (const [word] of text.slice(0, MOST_CHARACTERS).normalize("NFKC").toLowerCase().matchAll(WORD)) {
    if (left-- === 0) break;
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}

/** The floor of a log probability: some upstreams send -9999, which would outweigh all else. */
const LEAST = -20;

/**
 * Returns the mean logarithm of the probabilities of an answer's tokens, -20 to 0; undefined where it came without
 * them, which it does unless the request asked for them and its upstream gives them.
 */
export function meanLogProbability({ content }: GenerateResponse): number | undefined {
  let [sum, count] = [0, 0];
  for (const { logprobs } of content) {
    for (const { logprob } of logprobs?.tokens ?? []) {
      if (Number.isNaN(logprob)) return undefined;
      sum += Math.max(LEAST, Math.min(logprob, 0));
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
}
