import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";

/** What the callers of a service were told. */
export interface Ledger {
  /** Ids of the inferences whose answers came whole. */
  readonly inferences: string[];
  /** Those of them that are the best of several. */
  readonly chosen: string[];
  /** Ids of the feedback entries that were said to be stored. */
  readonly feedback: string[];
  /** What went wrong while the service was up, in the order of the failures. */
  readonly failures: string[];
  /** Requests that were sent; those whose answers never came too. */
  sent: number;
}

/** How to call. */
export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  readonly ledger: Ledger;
  /** Callers at a time. */
  readonly callers: number;
  /** Answers that every fourth call asks for, to be given the best; one if absent. */
  readonly candidates?: number;
  /** Longest pause of a caller between two calls. */
  readonly pauseMs?: number;
  /** Sessions that the calls are of, by chance; none if absent. */
  readonly sessions?: number;
}

/** Calls that go on until they are stopped. */
export interface Load {
  /** Resolves when the last call has ended. */
  stop(): Promise<void>;
}

/** Makes an empty ledger. */
export function createLedger(): Ledger {
  return { inferences: [], chosen: [], feedback: [], failures: [], sent: 0 };
}

/** Starts callers, each of which asks, and gives feedback on every second answer at once. */
export function startLoad(options: LoadOptions): Load {
  const agent = new Agent({ connections: options.callers * 2 });
  const stopping = new AbortController();
  const callers = Array.from({ length: options.callers }, async (_, caller) => {
    for (let turn = caller; !stopping.signal.aborted; turn++) {
      await callOnce({ ...options, agent, turn });
      if (options.pauseMs !== undefined) await delay(Math.random() * options.pauseMs);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(callers);
      await agent.destroy();
    },
  };
}

interface Turn extends LoadOptions {
  readonly agent: Agent;
  readonly turn: number;
}

async function callOnce({ ledger, turn, ...options }: Turn): Promise<void> {
  try {
    ledger.sent += 1;
    const candidates = turn % 4 === 3 ? options.candidates : undefined;
    const { sessions } = options;
    const session = sessions === undefined ? undefined : `session-${Math.floor(Math.random() * sessions)}`;
    const target = { ...options, candidates, session };
    const id = turn % 3 === 0 ? await stream(target) : await ask(target);
    ledger.inferences.push(id);
    if (candidates !== undefined) ledger.chosen.push(id);
    if (turn % 2 === 0) ledger.feedback.push(...(await giveFeedback(id, options)));
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
    // A service that is gone is not asked in a tight loop.
    await delay(20);
  }
}

/** Whom to call. */
export interface Target extends Pick<Turn, "url" | "key" | "agent"> {
  /** Answers to ask for; one if undefined. */
  readonly candidates?: number | undefined;
  readonly session?: string | undefined;
}

async function post(path: string, body: unknown, { url, key, agent, candidates, session }: Target): Promise<string> {
  const response = await request(`${url}${path}`, {
    method: "POST",
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(candidates !== undefined && { "attune-candidates": `${candidates}` }),
      ...(session !== undefined && { "attune-session": session }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`);
  return text;
}

const CHAT = {
  model: "attune/gpt-6-astra",
  messages: [{ role: "user", content: "Count the ways to lose a record. ".repeat(20) }],
};

/** Asks once; returns the id of the inference. */
export async function ask(target: Target): Promise<string> {
  const answer = JSON.parse(await post("/v1/chat/completions", CHAT, target)) as { id: string };
  return answer.id;
}

/** Asks once for a stream; returns the id of the inference. */
export async function stream(target: Target): Promise<string> {
  const text = await post("/v1/chat/completions", { ...CHAT, stream: true }, target);
  const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1];
  if (id === undefined || !text.endsWith("data: [DONE]\n\n")) throw new Error("the stream broke off");
  return id;
}

/** Sends feedback of two values; returns the ids of both entries. */
export async function giveFeedback(id: string, target: Target): Promise<string[]> {
  const text = await post("/v1/feedback", [{ id, feedback: { good: true, speed: 0.5 } }], target);
  const [result] = JSON.parse(text) as {
    feedback_ids: Record<string, string> | null;
    error: { message: string } | null;
  }[];
  if (!result?.feedback_ids) throw new Error(`feedback was refused: ${result?.error?.message}`);
  return Object.values(result.feedback_ids);
}
