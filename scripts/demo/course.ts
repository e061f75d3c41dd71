import type { ScriptedModels } from "./scripted-models.ts";

/** One answer as a customer got it. */
export interface Answered {
  readonly model: string;
  readonly isRight: boolean;
  readonly usd: number;
  /** All that was paid for since the answer before: it, and trials and their grades. */
  readonly billUsd: number;
  readonly latencyMs: number;
}

/** Means of some answers. */
export interface Means {
  /** Part of the answers that was right, 0 to 1. */
  readonly right: number;
  /** With what trials in the shadow and their grades cost meanwhile. */
  readonly usdPerThousand: number;
  readonly latencyMs: number;
}

/** Answers at the start and at the end that are compared. */
const COMPARED = 300;

/** Keeps how the answers of a demonstration went. */
export class Course {
  readonly #models: ScriptedModels;
  readonly #answers: Answered[] = [];
  #billedUsd: number;
  thumbs = 0;

  constructor(models: ScriptedModels) {
    this.#models = models;
    this.#billedUsd = models.totalUsd;
  }

  /** Takes note of an answer. Returns whether it was right. */
  add(text: string, latencyMs: number): boolean {
    const given = this.#models.answerTo(text);
    if (given === undefined) throw new Error(`no scripted model said '${text}'`);
    const { totalUsd } = this.#models;
    this.#answers.push({ ...given, latencyMs, billUsd: totalUsd - this.#billedUsd });
    this.#billedUsd = totalUsd;
    return given.isRight;
  }

  get calls(): number {
    return this.#answers.length;
  }

  get before(): Means {
    return meansOf(this.#answers.slice(0, COMPARED));
  }

  get after(): Means {
    return meansOf(this.#answers.slice(-COMPARED));
  }

  /** Means of as many equal stretches of `calls`, as far as answers have come. */
  stretches(count: number, calls: number): Means[] {
    const length = Math.max(1, Math.ceil(calls / count));
    const whole = Math.floor(this.calls / length);
    return Array.from({ length: whole }, (_, at) => meansOf(this.#answers.slice(at * length, (at + 1) * length)));
  }

  /** The part of the last answers that each model gave. */
  get shares(): ReadonlyMap<string, number> {
    const last = this.#answers.slice(-COMPARED);
    const shares = new Map<string, number>();
    for (const { model } of last) shares.set(model, (shares.get(model) ?? 0) + 1 / last.length);
    return shares;
  }

  /** Grades of the judge, and what trials and grades cost. */
  get trials(): { readonly grades: number; readonly usd: number; readonly ofBill: number } {
    const { grades, totalUsd } = this.#models;
    const usd = Math.max(0, totalUsd - this.#answers.reduce((sum, answer) => sum + answer.usd, 0));
    return { grades, usd, ofBill: totalUsd === 0 ? 0 : usd / totalUsd };
  }
}

function meansOf(answers: readonly Answered[]): Means {
  const mean = (read: (answer: Answered) => number): number =>
    answers.reduce((sum, answer) => sum + read(answer), 0) / Math.max(1, answers.length);
  return {
    right: mean(({ isRight }) => Number(isRight)),
    usdPerThousand: 1000 * mean(({ billUsd }) => billUsd),
    latencyMs: mean(({ latencyMs }) => latencyMs),
  };
}
