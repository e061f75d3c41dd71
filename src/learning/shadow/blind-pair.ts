import { createHash } from "node:crypto";
import { listTurns, type Spoken, toReadText } from "./judge-prompt.ts";
import type { AnsweredPrompt } from "./ports.ts";

/** The answer that was given and that of its shadow trial, in an order that says nothing of whose they are. */
export interface BlindPair {
  /** Id of the trial. */
  readonly id: string;
  /** Base: the model that was asked for. */
  readonly model: string;
  readonly conversation: readonly Spoken[];
  readonly answers: readonly [first: string, second: string];
}

/** A verdict on a pair: which of the answers would satisfy the person who asked. */
export interface PairVerdict {
  readonly first: boolean;
  readonly second: boolean;
}

/** A pair that was judged, with the models of its answers. */
export interface JudgedPair {
  readonly inferenceId: string;
  /** The models that gave the answers, in their order. */
  readonly models: readonly [first: string, second: string];
  /** The model whose answer the caller got. */
  readonly servedModel: string;
}

/** Makes a pair of a trial's answer and the given one. */
export function createBlindPair(
  { id, model }: Pick<BlindPair, "id" | "model">,
  { input, response }: AnsweredPrompt,
  tried: AnsweredPrompt["response"],
): BlindPair {
  const [first, second] = inBlindOrder(id, toReadText(response.content), toReadText(tried.content));
  return { id, model, conversation: listTurns(input), answers: [first, second] };
}

/** Puts what is of the given answer and what is of the trial's into the order of a pair, or back out of it. */
export function inBlindOrder<T>(id: string, one: T, other: T): [T, T] {
  // Chance that falls alike whenever the pair is read: no id is chosen by anybody.
  const isTurned = ((createHash("sha256").update(`pair ${id}`).digest()[0] ?? 0) & 1) === 1;
  return isTurned ? [other, one] : [one, other];
}
