import { setTimeout as wait } from "node:timers/promises";
import type { AttuneProcess } from "./attune-process.ts";
import { isRightAnswer } from "./scripted-models.ts";

/** The time that the service has to learn from verdicts, in milliseconds. */
const LEARNED_MS = 20_000;

interface Options {
  readonly model: string;
  /** Most pairs that are compared. */
  readonly pairs: number;
}

/** The verdicts of a person. */
interface Judged {
  readonly pairs: number;
  /** Pairs of which the other model's answer alone was right, and those of which base's was. */
  readonly better: number;
  readonly worse: number;
}

/** Compares pairs of answers as somebody does who knows the right one, and waits until the service has learned it. */
export async function judgePairs(attune: AttuneProcess, { model, pairs }: Options): Promise<Judged> {
  const adminKey = await attune.createAdminKey();
  const ask = async (path: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(`${attune.url}/v1/admin/projects/default/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const rewards = async (): Promise<number> => Number((await ask(`workloads/${model}`))["rewards"]);
  const before = await rewards();
  let [judged, better, worse] = [0, 0, 0];
  for (; judged < pairs; judged += 1) {
    const pair = await ask(`workloads/${model}/pair`);
    if (typeof pair["id"] !== "string") break;
    const [first, second] = [isRightAnswer(String(pair["first_answer"])), isRightAnswer(String(pair["second_answer"]))];
    const verdict = first && second ? "both" : first ? "first" : second ? "second" : "neither";
    const { first_model: firstModel, served_model: servedModel } = await ask(`pairs/${pair["id"]}`, { verdict });
    if (first === second) continue;
    if (first === (firstModel === servedModel)) worse += 1;
    else better += 1;
  }
  const deadline = performance.now() + LEARNED_MS;
  while ((await rewards()) < before + judged && performance.now() < deadline) await wait(200);
  return { pairs: judged, better, worse };
}
