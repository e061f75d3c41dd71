import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { expandBody } from "../../src/lib/compress-body.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

/** Pairs of equal requests under one key: 1,000 by hand, fewer where the whole suite runs. */
const PAIRS = Number(process.env["PAIRS"] ?? 50);
/** Pairs of a round, in each of which one process is killed. */
const ROUND = 50;
const KEY = "a-bootstrap-key-for-chaos";
/** The time within which the requests of a round begin, and its process is killed. */
const SPREAD_MS = 400;
/** The longest that an upstream takes to its first byte, and then to its end. */
const SLOW_MS = 150;

const yaml = (url: string): string => `
upstreams:
  up: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: none }
models:
  - name: m
    family: chat
    contextWindow: 10000
    maxOutputTokens: 1000
    price: { input: 1, output: 1000 }
    deployments: [{ upstream: up, model: m }]
`;

/** An upstream that says in each answer whose it is, and the number of times that it was asked: \`pair 7; call 1\`. */
async function startCountingUpstream() {
  const calls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const pair = /pair \d+;/.exec(body)?.[0] ?? "";
    const call = (calls.get(pair) ?? 0) + 1;
    calls.set(pair, call);
    const isStreamed = body.includes('"stream":true');
    await delay(Math.random() * SLOW_MS);
    const base = { id: "up", created: 1, model: "m", system_fingerprint: null };
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    const content = `${pair} call ${call}.`;
    if (!isStreamed) {
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ ...base, object: "chat.completion", choices, usage }));
    }
    const chunk = (choice: object, more: object = {}): string =>
      `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }], ...more })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ delta: { role: "assistant", content }, finish_reason: null }));
    await delay(Math.random() * SLOW_MS);
    response.end(`${chunk({ delta: {}, finish_reason: "stop" }, { usage })}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A process of the service, with the id under which it answers calls under keys. */
interface Replica {
  readonly folder: CliFolder;
  readonly served: Served;
  readonly owner: string;
}

const folders: CliFolder[] = [];
const agent = new Agent({ connections: 100 });

afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
});

describe.each(ENGINES)("idempotency keys on %s", (engine) => {
  const databases = useDatabases(engine);

  it(`have each of ${PAIRS} pairs answered once, whoever is killed`, { timeout: 600_000 + PAIRS * 1000 }, async () => {
    const upstream = await startCountingUpstream();
    const { url } = databases;
    const environment = { ATTUNE_DATABASE_URL: url, ATTUNE_BOOTSTRAP_KEY: KEY };
    const start = async (folder = createCliFolder()): Promise<Replica> => {
      folders.push(folder);
      writeFileSync(join(folder.path, "attune.yaml"), yaml(upstream.url));
      const served = await startServed(folder, environment);
      const name = `owner ${folders.length}`;
      await untilAnswered(() => served.url, { key: name, pair: name, stream: false }, []);
      const rows = databases.store.query().selectFrom("IdempotentCall").select("owner").where("key", "=", name);
      return { folder, served, owner: (await rows.executeTakeFirstOrThrow()).owner };
    };
    const replicas = [await start(), await start()];
    const surprises: string[] = [];
    const answers = new Map<string, readonly string[]>();
    for (let round = 0; answers.size < PAIRS; round += 1) {
      const asking = Array.from({ length: Math.min(ROUND, PAIRS - answers.size) }, async (_, at) => {
        const pair = `pair ${round * ROUND + at};`;
        const call = { key: `key of ${pair}`, pair, stream: at % 2 === 0 };
        const askOne = async (): Promise<string> => {
          await delay(Math.random() * SPREAD_MS);
          return await untilAnswered(() => pick(replicas).served.url, call, surprises);
        };
        const told = await Promise.all([askOne(), askOne()]);
        answers.set(pair, told);
      });
      await delay(Math.random() * SPREAD_MS);
      const victim = round % 2;
      const { folder, served, owner } = replicas[victim] ?? pick(replicas);
      await served.kill();
      replicas[victim] = await start(folder);
      await forget(databases.store, owner);
      await Promise.all(asking);
    }
    for (const { served } of replicas) await served.end();
    upstream.close();
    const recorded = await readRecorded(databases.store);
    const again = [...answers.keys()].filter((pair) => (upstream.calls.get(pair) ?? 0) > 1);
    report(
      `${engine}: ${answers.size} pairs, ${Math.ceil(PAIRS / ROUND)} kills, ${again.length} asked for a second time ` +
        "after a kill",
    );
    for (const surprise of new Set(surprises)) report(`${engine}: ${surprise}`);
    // The last call is the one that is recorded and billed, and that both callers got: no other was, before it was
    // made.
    const expected = [...answers.keys()].map((pair) => [
      pair,
      Array(3).fill(`${pair} call ${upstream.calls.get(pair)}.`),
    ]);
    const seen = [...answers].map(([pair, told]) => [pair, [...told, ...(recorded.get(pair) ?? [])]]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    expect(surprises).toEqual([]);
  });
});

/** A request under a key. */
interface Call {
  readonly key: string;
  readonly pair: string;
  readonly stream: boolean;
}

/** Sends a request as SDKs do, until it is answered whole; returns the text of the answer. */
async function untilAnswered(url: () => string, { key, pair, stream }: Call, surprises: string[]): Promise<string> {
  for (;;) {
    try {
      const { statusCode, body } = await request(`${url()}/v1/chat/completions`, {
        method: "POST",
        dispatcher: agent,
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ model: "attune/m", stream, messages: [{ role: "user", content: pair }] }),
      });
      const text = await body.text();
      if (statusCode === 200 && (!stream || text.endsWith("data: [DONE]\n\n"))) return saidIn(text);
      surprises.push(`${statusCode}: ${text.slice(-300)}`);
    } catch {
      // The process is gone.
    }
    await delay(100);
  }
}

function saidIn(text: string): string {
  return /pair \d+; call \d+\./.exec(text)?.[0] ?? "";
}

/** Has a process that was killed look as if it was not heard of for a minute. */
async function forget(store: Store, owner: string): Promise<void> {
  const rows = store.query().updateTable("IdempotentCall").where("owner", "=", owner).where("state", "=", "answering");
  await rows.set({ beatAt: new Date(Date.now() - 60_000) }).execute();
}

/** Returns what was billed for each pair: the texts of the answers, or the status of those without one. */
async function readRecorded(store: Store): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .innerJoin("InferenceBody", "InferenceBody.id", "Inference.id")
    .select(["status", "request", "response"])
    .where("costNanos", ">", 0)
    .execute();
  const recorded = new Map<string, string[]>();
  for (const { status, request, response } of rows) {
    const pair = /pair \d+;/.exec(textOf(await expandBody(request)))?.[0] ?? "";
    const told = saidIn(textOf(await expandBody(response))) || status;
    recorded.set(pair, [...(recorded.get(pair) ?? []), told]);
  }
  return recorded;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function pick<T>(list: readonly T[]): T {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
}
