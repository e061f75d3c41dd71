import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { giveFeedback, type Ledger, stream, type Target } from "../chaos/load.ts";

const MODEL = "attune/gpt-6-astra";

/** The load of a platform: each call goes to another replica. */
export interface MixedLoadOptions {
  readonly key: string;
  readonly ledger: Ledger;
  /** Callers at a time; each is a session. */
  readonly callers: number;
  /** Returns the address for the next call. */
  readonly next: () => string;
}

/** Times that the official SDKs try a call again that was answered 503, and the pause before. */
const RETRIES = 2;
const RETRY_MS = 1000;

/** Calls that go on until they are stopped. */
export interface MixedLoad {
  /** Calls that were answered 503, and made again. */
  readonly retried: () => number;
  /** Resolves when the last call has ended. */
  stop(): Promise<void>;
}

/**
 * Starts callers. Each asks, continues its answer elsewhere, reads it, streams, and gives feedback: whichever replica
 * is asked has to know what another one has just answered.
 */
export function startMixedLoad({ key, ledger, callers, next }: MixedLoadOptions): MixedLoad {
  const agent = new Agent({ connections: callers * 2 });
  const at = (): Target => ({ url: next(), key, agent });
  let isOver = false;
  let retried = 0;
  const call = async (session: string): Promise<void> => {
    const attempt = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
      for (let retries = 0; ; retries++) {
        ledger.sent += 1;
        try {
          return await work();
        } catch (thrown) {
          const message = thrown instanceof Error ? thrown.message : String(thrown);
          const isTemporary = /answered 503|does not answer/.test(message);
          if (retries === RETRIES || !isTemporary) throw new Error(`${what}: ${message}`);
          retried += 1;
          await delay(RETRY_MS);
        }
      }
    };
    const first = await attempt("asking", () => respond(at(), session));
    ledger.inferences.push(first);
    const second = await attempt("continuing", () => respond(at(), session, first));
    ledger.inferences.push(second);
    await attempt("reading", () => read(at(), second));
    ledger.inferences.push(await attempt("streaming", () => stream(at())));
    ledger.feedback.push(...(await attempt("feedback", () => giveFeedback(second, at()))));
  };
  const calling = Array.from({ length: callers }, async (_, caller) => {
    for (let run = 0; !isOver; run++) {
      await call(`session-${caller}-${Math.floor(run / 5)}`).catch(async (error: Error) => {
        ledger.failures.push(error.message);
        await delay(20);
      });
    }
  });
  return {
    retried: () => retried,
    async stop() {
      isOver = true;
      await Promise.all(calling);
      await agent.destroy();
    },
  };
}

async function respond(target: Target, session: string, previous?: string): Promise<string> {
  const body = { model: MODEL, input: "Count to three.", previous_response_id: previous };
  const { id } = await callResponses("POST", "/v1/responses", target, { body, session });
  return id;
}

async function read(target: Target, id: string): Promise<void> {
  const found = await callResponses("GET", `/v1/responses/${id}`, target);
  if (found.id !== id) throw new Error(`${id} was read as ${found.id}`);
}

async function callResponses(
  method: "GET" | "POST",
  path: string,
  { url, key, agent }: Target,
  { body, session }: { readonly body?: object; readonly session?: string } = {},
): Promise<{ id: string }> {
  const { statusCode, body: answer } = await request(`${url}${path}`, {
    method,
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { "content-type": "application/json" }),
      ...(session !== undefined && { "attune-session": session }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${url}${path} answered ${statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as { id: string };
}
