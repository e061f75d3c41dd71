import { type ChosenTuple, splitAnswers } from "./message.ts";

/** Choices are told together within so long, and no more at a time: what is not told is read, or drawn alike. */
const COLLECT_MS = 10;
const MOST_CHOICES = 5000;

/** Collects who answers in sessions, so that a message tells of many. */
export class ChoiceBatch {
  readonly #send: (choices: readonly ChosenTuple[]) => void;
  #waiting: ChosenTuple[] = [];

  constructor(send: (choices: readonly ChosenTuple[]) => void) {
    this.#send = send;
  }

  add(choice: ChosenTuple): void {
    if (this.#waiting.length >= MOST_CHOICES) return;
    this.#waiting.push(choice);
    if (this.#waiting.length === 1) setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  #flush(): void {
    const choices = this.#waiting;
    this.#waiting = [];
    for (const part of splitAnswers(choices)) this.#send(part);
  }
}
