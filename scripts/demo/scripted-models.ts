import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";

/** A scripted model: how often it is right, how long it takes, and its prices. */
export interface ScriptedModel {
  readonly name: string;
  /** The chance that an answer is right. */
  readonly skill: number;
  readonly latencyMs: number;
  /** USD for a million tokens. */
  readonly price: { readonly input: number; readonly output: number };
}

/** The model that the shop has always used, a dear and a cheap one that are worse, and one that suits its questions. */
export const MODELS: readonly ScriptedModel[] = [
  { name: "standard", skill: 0.62, latencyMs: 110, price: { input: 3, output: 15 } },
  { name: "grand", skill: 0.58, latencyMs: 190, price: { input: 5, output: 25 } },
  { name: "swift", skill: 0.94, latencyMs: 60, price: { input: 1, output: 5 } },
  { name: "tiny", skill: 0.35, latencyMs: 30, price: { input: 0.2, output: 0.8 } },
];

/** The model that grades shadow trials, and how often its grade is right. */
export const JUDGE = { name: "tiny", accuracy: 0.9 };

const RIGHT = "This is the right answer";
const TOKENS = { question: 220, answer: 120, grade: 30 };
/** Answers that are remembered until the customer has them. */
const MOST_OPEN = 10_000;

/** A scripted model's part in one answer. */
export interface ScriptedAnswer {
  readonly model: string;
  readonly isRight: boolean;
  readonly usd: number;
}

/** Scripted models behind one server of the Chat format. */
export interface ScriptedModels {
  readonly url: string;
  /** Cost of all calls so far, trials and grades included. */
  readonly totalUsd: number;
  /** Grades that the judge gave so far. */
  readonly grades: number;
  /** Finds what a model did for the answer with this text; undefined if none gave it. */
  answerTo(text: string): ScriptedAnswer | undefined;
  close(): Promise<void>;
}

/** Tells whether the text of an answer says that it is right. */
export function isRightAnswer(text: string): boolean {
  return text.startsWith(RIGHT);
}

/** Starts a server that answers as the scripted models do. */
export async function startScriptedModels(random: SeededRandom): Promise<ScriptedModels> {
  const open = new Map<string, ScriptedAnswer>();
  let [totalUsd, grades, answers] = [0, 0, 0];

  const answer = async (asked: string, messages: readonly { content: unknown }[]) => {
    const model = MODELS.find(({ name }) => name === asked);
    if (model === undefined) throw new Error(`there is no scripted model '${asked}'`);
    const last = String(messages.at(-1)?.content);
    await wait(model.latencyMs * (0.8 + 0.4 * random.uniform()));
    if (last.startsWith("{")) {
      grades++;
      totalUsd += usdOf(model.price, TOKENS.question + TOKENS.answer, TOKENS.grade);
      return { text: grade(last, random), tokens: TOKENS.grade };
    }
    const isRight = random.uniform() < model.skill;
    const text = `${isRight ? RIGHT : "This answer is wrong"} (number ${++answers}).`;
    const usd = usdOf(model.price, TOKENS.question, TOKENS.answer);
    totalUsd += usd;
    open.set(text, { model: model.name, isRight, usd });
    for (const oldest of open.keys()) if (open.size > MOST_OPEN) open.delete(oldest);
    return { text, tokens: TOKENS.answer };
  };

  const server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const { model, messages } = JSON.parse(await readBody(request));
      const { text, tokens } = await answer(model, messages);
      const said = { index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" };
      const usage = {
        prompt_tokens: TOKENS.question,
        completion_tokens: tokens,
        total_tokens: TOKENS.question + tokens,
      };
      const body = { id: `chatcmpl-${answers}`, object: "chat.completion", created: 1_700_000_000, model, usage };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...body, choices: [said] }));
    };
    reply().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get totalUsd() {
      return totalUsd;
    },
    get grades() {
      return grades;
    },
    answerTo: (text) => {
      const given = open.get(text);
      open.delete(text);
      return given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Grades an answer, at times wrongly: a judge is a model too. */
function grade(material: string, random: SeededRandom): string {
  // Beside the answer, the material has examples of others.
  const { answer } = JSON.parse(material) as { readonly answer: string };
  const isRight = answer.includes("the right answer");
  const satisfactory = random.uniform() < JUDGE.accuracy ? isRight : !isRight;
  return JSON.stringify({ satisfactory, reason: "Scripted." });
}

function usdOf(price: ScriptedModel["price"], input: number, output: number): number {
  return (price.input * input + price.output * output) / 1e6;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
