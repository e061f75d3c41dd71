import { Agent, type Dispatcher, request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { quantile } from "../support/quantile.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { createLedger, giveFeedback, type Target } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

const TIMES = 1000;
/** Of each of what needs no thousand to be seen. */
const FEW = 100;
const CALLERS = 5;
const KEY = "a-bootstrap-key-for-chaos";

/** What processes share: a host with its spool where they share a file, and nothing but the database on PostgreSQL. */
const WHERE: Record<Engine, string> = { sqlite: "one host", postgres: "hosts of their own" };

describe.each(ENGINES)("two processes on one %s", (engine) => {
  const databases = useDatabases(engine);
  const folders: CliFolder[] = [];

  afterEach(async () => {
    for (const folder of folders.splice(0)) await folder.remove();
  });

  async function startTwo() {
    const url = databases.newUrl();
    const environment = { ATTUNE_DATABASE_URL: url, ATTUNE_BOOTSTRAP_KEY: KEY };
    const start = (): Promise<Served> => {
      const folder = createCliFolder();
      folders.push(folder);
      return startServed(folder, environment);
    };
    return { url, processes: [await start(), await start()] as const };
  }

  it(`know at once what the other one has answered, as ${WHERE[engine]}`, async () => {
    const { url, processes } = await startTwo();
    const agent = new Agent();
    const targetOf = ({ url }: Served): Target => ({ url, key: KEY, agent });
    const [first, second] = [targetOf(processes[0]), targetOf(processes[1])] as const;
    const ledger = createLedger();

    const times = {
      "an answer that continues nothing, alone": [] as number[],
      "given feedback": [] as number[],
      continued: [] as number[],
      read: [] as number[],
      deleted: [] as number[],
    };
    const time = async <T>(what: keyof typeof times, call: () => Promise<T>): Promise<T> => {
      const began = performance.now();
      const result = await call();
      times[what].push(performance.now() - began);
      return result;
    };
    const askAt = async (target: Target, previous?: string): Promise<string> => {
      const id = await respond(target, previous);
      ledger.inferences.push(id);
      return id;
    };

    const refused: string[] = [];
    /** Has one process answer, and the other one called about it at once. */
    async function each(count: number, call: (id: string, there: Target, here: Target) => Promise<unknown>) {
      const callers = Array.from({ length: CALLERS }, async (_, caller) => {
        for (let turn = caller; turn < count; turn += CALLERS) {
          const [here, there] = turn % 2 === 0 ? ([first, second] as const) : ([second, first] as const);
          await askAt(here)
            .then((id) => call(id, there, here))
            .catch((error: Error) => refused.push(error.message));
        }
      });
      await Promise.all(callers);
    }

    for (let turn = 0; turn < FEW; turn += 1) await time("an answer that continues nothing, alone", () => askAt(first));
    await each(TIMES, async (id, there) => {
      const feedback = time("given feedback", () => giveFeedback(id, there));
      const continued = time("continued", () => askAt(there, id));
      const [entries] = await Promise.all([feedback, continued]);
      ledger.feedback.push(...entries);
    });
    await each(FEW, (id, there) => time("read", () => callStored("GET", id, there)));
    await each(FEW, async (id, there, here) => {
      await time("deleted", () => callStored("DELETE", id, there));
      await expect(callStored("GET", id, here)).rejects.toThrow("was answered 404");
    });
    await agent.close();
    for (const served of processes) expect(await served.end()).toBe(0);
    for (const [what, took] of Object.entries(times))
      report(`${engine}: ${what}: ${took.length} times, ${quantiles(took)}`);
    expect(refused).toEqual([]);
    // What another process must be asked for takes no 300 ms, but for the machine's own doing.
    for (const took of Object.values(times)) expect(quantile(took, 0.5)).toBeLessThan(300);
    expect(await compare(url, ledger)).toEqual({
      lostInferences: 0,
      lostFeedback: 0,
      unacknowledged: 0,
      rollupSurplus: 0,
      inferences: 3 * FEW + 2 * TIMES,
      feedback: 2 * TIMES,
    });
  });
});

/** Asks for an answer that is stored; returns its id. */
async function respond({ url, key, agent }: Target, previous?: string): Promise<string> {
  const response = await request(`${url}/v1/responses`, {
    method: "POST",
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "attune/gpt-6-astra", input: "Who knows of this?", previous_response_id: previous }),
  });
  return idOf(response, `an answer${previous === undefined ? "" : ` after ${previous}`}`);
}

/** Reads or deletes a stored answer. */
async function callStored(method: "GET" | "DELETE", id: string, { url, key, agent }: Target): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  return idOf(await request(`${url}/v1/responses/${id}`, { method, dispatcher: agent, headers }), `${method} ${id}`);
}

async function idOf({ statusCode, body }: Dispatcher.ResponseData, what: string): Promise<string> {
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${what} was answered ${statusCode}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { id: string }).id;
}

function quantiles(took: readonly number[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(took, share).toFixed(0));
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`;
}
