import { setTimeout as wait } from "node:timers/promises";
import type { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import type { Course } from "./course.ts";

/** The parts of which the questions of a bookshop's customers are made. */
const BOOKS = ["Middlemarch", "Emma", "Dracula", "Walden", "Persuasion", "Ulysses", "Candide", "Kim"];
const QUESTIONS = [
  (book: string, n: number) => `Where is order ${n}, with ${book}?`,
  (book: string, n: number) => `I would like to send ${book} back. Order ${n}.`,
  (book: string, n: number) => `Is ${book} in stock as a paperback? I need ${1 + (n % 5)} copies.`,
  (book: string, n: number) => `What should somebody of ${12 + (n % 60)} years read after ${book}?`,
];
const SYSTEM = "You answer the customers of Lantern Books, an online bookshop. Be short and exact.";

interface CustomerOptions {
  /** Address of the service. */
  readonly url: string;
  readonly key: string;
  readonly course: Course;
  readonly random: SeededRandom;
  /** The chance that a customer gives a thumb, up or down. */
  readonly feedback: number;
}

interface Completion {
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

interface Asking {
  readonly calls: number;
  /** The time that all questions take at the least. */
  readonly seconds: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
}

/** Customers who ask questions, and seldom rate an answer. */
export class Customers {
  readonly #options: CustomerOptions;
  #asked = 0;

  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  /** Asks all questions, several at a time, at an even pace; stops early if `signal` aborts. */
  async ask({ calls, seconds, concurrency, signal, onAnswer }: Asking): Promise<void> {
    const began = performance.now();
    const dueMs = (at: number): number => (at / calls) * seconds * 1000;
    const customer = async (): Promise<void> => {
      while (this.#asked < calls && !signal.aborted) {
        const early = dueMs(this.#asked++) - (performance.now() - began);
        if (early > 0) await wait(early);
        await this.#askOne();
        onAnswer();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, customer));
  }

  async #askOne(): Promise<void> {
    const { course, random, feedback } = this.#options;
    const began = performance.now();
    const messages = [
      { role: "system", content: SYSTEM },
      { role: "user", content: this.#question() },
    ];
    const completion = await this.#post("/v1/chat/completions", { model: "attune/standard", messages });
    const { id, choices } = completion as Completion;
    const isRight = course.add(choices[0]?.message.content ?? "", performance.now() - began);
    if (random.uniform() >= feedback) return;
    course.thumbs++;
    await this.#post("/v1/feedback", { id, feedback: { helpful: isRight } });
  }

  /** Posts without an SDK: those are installed for development alone, and the demonstration runs on what `npm start` has. */
  async #post(path: string, body: object): Promise<unknown> {
    const { url, key } = this.#options;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return await response.json();
  }

  #question(): string {
    const { random } = this.#options;
    const one = <T>(items: readonly T[]): T => items[Math.floor(random.uniform() * items.length)] as T;
    return one(QUESTIONS)(one(BOOKS), 1000 + Math.floor(random.uniform() * 9000));
  }
}
