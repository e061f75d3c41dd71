import { LRUCache } from "lru-cache";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { type JudgeExample, toReadText } from "./judge-prompt.ts";
import type { RatedAnswer, RatedAnswers, ShadowStore } from "./ports.ts";

/** Examples of either sign in a judge's prompt, and the notes of one. */
const MOST_OF_SIGN = 3;
const MOST_NOTES = 2;
/** Characters of a text in an example. */
const MOST_ASKED = 600;
const MOST_ANSWER = 800;
const MOST_NOTE = 200;
/**
 * Families whose examples are remembered, and for how long: what was deleted meanwhile is shown no longer than that.
 */
const MOST_REMEMBERED = 200;
const REMEMBERED_MS = 60_000;

/** Reads examples for a judge, and remembers them for a minute: prompts that begin alike are cheaper. */
export class Examples {
  readonly #store: Pick<ShadowStore, "readRated">;
  readonly #known = new LRUCache<string, Promise<readonly RatedAnswer[]>>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });

  constructor(store: Pick<ShadowStore, "readRated">) {
    this.#store = store;
  }

  /** Returns examples of a family, without the answer that is to be graded: its own feedback would tell its grade. */
  async of({ inferenceId, ...family }: RatedAnswers & { readonly inferenceId: string }): Promise<JudgeExample[]> {
    const rated = (await this.#read(family)).filter((answer) => answer.inferenceId !== inferenceId);
    const ofSign = (isLiked: boolean) => rated.filter((answer) => answer.isLiked === isLiked).slice(0, MOST_OF_SIGN);
    return [...ofSign(true), ...ofSign(false)].map(toExample);
  }

  #read({ projectId, model, family }: RatedAnswers): Promise<readonly RatedAnswer[]> {
    const key = JSON.stringify([projectId, model, family]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // One more than is shown, for one of them may be the answer that is graded.
    const reading = this.#store.readRated({ projectId, model, family }, MOST_OF_SIGN + 1);
    this.#known.set(key, reading);
    reading.catch(() => this.#known.delete(key));
    return reading;
  }
}

function toExample({ input, response, isLiked, notes }: RatedAnswer): JudgeExample {
  const question = input.messages.findLast(({ role }) => role === Role.USER);
  return {
    asked: cut(toReadText(question?.content ?? []), MOST_ASKED),
    answer: cut(toReadText(response.content), MOST_ANSWER),
    satisfactory: isLiked,
    ...(notes.length > 0 && { notes: notes.slice(0, MOST_NOTES).map((note) => cut(note, MOST_NOTE)) }),
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
