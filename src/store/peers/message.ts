/**
 * A message between processes on one database about inferences that are not in it yet. `from` and `to` are names of
 * processes; a `number` is the question's, by the count of who asks.
 */
export type Message =
  /** Begins to listen: whoever hears it says that it is here. */
  | { readonly kind: "hello"; readonly from: string }
  | { readonly kind: "here"; readonly from: string }
  /** Ends in order: all that it had is written, or stays in its spool. */
  | { readonly kind: "bye"; readonly from: string }
  | Question
  | Answer
  | Written
  | Chosen;

/** Asks all processes which of these inferences they have. */
export interface Question {
  readonly kind: "ask";
  readonly from: string;
  readonly number: number;
  /** Inferences of other projects are not told of. */
  readonly projectId: string;
  readonly ids: readonly string[];
  /** True if to tell, a little later, which of them are written. */
  readonly waits: boolean;
}

/** One of the inferences that a process has: id, model, workload. */
export type KnownInference = readonly [id: string, model: string, workload: string];

/** Tells which of the inferences of a question a process has: under way, or waiting for the database. */
export interface Answer {
  readonly kind: "tell";
  readonly from: string;
  readonly to: string;
  readonly number: number;
  readonly known: readonly KnownInference[];
  /** True if that is the whole answer. */
  readonly isLast: boolean;
}

/** An inference that was asked for has ended, and is in the database. */
interface Written {
  readonly kind: "written";
  readonly from: string;
  readonly to: string;
  readonly id: string;
}

/** The models that answer in sessions, as decided there. */
interface Chosen {
  readonly kind: "chosen";
  readonly from: string;
  readonly choices: readonly ChosenTuple[];
}

/** One choice, in the order of the members of a ChosenArm. */
export type ChosenTuple = readonly [
  keyId: string,
  source: string,
  id: string,
  base: string,
  arm: string,
  atMs: number,
  isFirst: boolean,
];

/** Ids of one question: the question is then shorter than the 7999 bytes that PostgreSQL takes. */
export const IDS_PER_QUESTION = 100;
/** The same for what an answer may have, in JSON. */
const ANSWER_BYTES = 7000;

/** Divides what a process knows among as many messages as it takes; the last one may be empty. */
export function splitAnswers<T extends readonly unknown[]>(known: readonly T[]): (readonly T[])[] {
  const parts: T[][] = [[]];
  let bytes = 0;
  for (const inference of known) {
    const size = Buffer.byteLength(JSON.stringify(inference)) + 1;
    bytes += size;
    if (bytes > ANSWER_BYTES) {
      parts.push([]);
      bytes = size;
    }
    parts.at(-1)?.push(inference);
  }
  return parts;
}

/** Encodes a message as JSON in one line. */
export function encodeMessage(message: Message): string {
  return JSON.stringify(message);
}

/** Decodes a message; undefined for what is none, such as one of another version. */
export function decodeMessage(text: string): Message | undefined {
  const value = tryParse(text);
  if (typeof value !== "object" || value === null || !("kind" in value) || !("from" in value)) return undefined;
  const { kind, from, ...others } = value as Record<string, unknown>;
  if (typeof from !== "string") return undefined;
  const { number, projectId, ids, waits, to, known, isLast, id, choices } = others;
  if (kind === "hello" || kind === "here" || kind === "bye") return { kind, from };
  if (kind === "ask" && isNumber(number) && isText(projectId) && isListOf(ids, isText) && typeof waits === "boolean") {
    return { kind, from, number, projectId, ids, waits };
  }
  if (kind === "written" && isText(to) && isText(id)) return { kind, from, to, id };
  if (kind === "chosen") return isListOf(choices, isChosen) ? { kind, from, choices } : undefined;
  if (kind !== "tell" || !isText(to) || !isNumber(number) || !isListOf(known, isKnown)) return undefined;
  return typeof isLast === "boolean" ? { kind, from, to, number, known, isLast } : undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isChosen(value: unknown): value is ChosenTuple {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const [atMs, isFirst] = value.slice(5);
  return value.slice(0, 5).every(isText) && isNumber(atMs) && typeof isFirst === "boolean";
}

function isKnown(value: unknown): value is KnownInference {
  return isListOf(value, isText) && value.length === 3;
}
