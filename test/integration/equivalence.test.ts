import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putBack } from "../../src/learning/equivalence/audit-state.ts";
import { createAuditStore } from "../../src/store/equivalence/audit-store.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Words that the two models have for a thing: one in five differs. */
const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];
const OTHERS = ["Alef", "Bet", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];

/** A model that draws its words: no two answers are alike. */
function sentence(words: readonly string[]): string {
  return Array.from({ length: 40 }, () => words[Math.floor(Math.random() * words.length)]).join(" ");
}

/** Two sentences that are nearly the same, and a longer one that has nothing of them. */
function threeSentences(): readonly [one: string, like: string, other: string] {
  const one = sentence(WORDS);
  const next = (word: string): string => WORDS[(WORDS.indexOf(word) + 1) % WORDS.length] ?? "";
  const other = one.split(" ").map(next).join(" ");
  return [one, one.replace("a", "o"), other.padEnd(one.length + 5, " kappa")];
}

/**
 * A deployment that is equal to base, as it is seen where chance is fair to the letter: of its answer and the two of
 * base to the same question each is the odd one out every third time.
 */
function equalDeployment() {
  const ofBase = new Map<string, string[]>();
  let count = 0;
  return {
    /** What it says to a question. */
    say(question: string): string {
      const [one, like, other] = threeSentences();
      const [said = "", ...rest] =
        [
          [other, one, like],
          [one, other, like],
          [one, like, other],
        ][count++ % 3] ?? [];
      ofBase.set(question, rest);
      return said;
    },
    /** What base says next to a question that it has answered. */
    baseSays: (question: string): string | undefined => ofBase.get(question)?.shift(),
  };
}

const questionIn = (body: string): string => /Question \d+/.exec(body)?.[0] ?? "";

function chatAnswer(text: string) {
  return wholeAnswer(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "real",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 40, total_tokens: 50 },
    }),
  );
}

const yaml = (url: string, more = ""): string => `
audit: { share: 1, nullShare: 1, callsPerHour: 1000000, concurrency: 4${more} }
upstreams:
  first: { kind: openai-chat, baseUrl: "${url}/first/v1" }
  second: { kind: openai-chat, baseUrl: "${url}/second/v1" }
  quiet: { kind: openai-chat, baseUrl: "${url}/quiet/v1" }
models:
  - name: audited
    family: chat
    contextWindow: 8000
    maxOutputTokens: 4096
    price: { input: 3, output: 15 }
    deployments: [ { upstream: first, model: real }, { upstream: second, model: real }, { upstream: quiet, model: real } ]
`;

describe("the equivalence audit", () => {
  let upstream: ScriptedUpstream;
  let service: TestService;
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    const second = equalDeployment();
    upstream.answerBy((path, body) => {
      if (path.startsWith("/quiet/")) return chatAnswer(sentence(OTHERS));
      const question = questionIn(body);
      if (path.startsWith("/second/")) return chatAnswer(second.say(question));
      return chatAnswer(second.baseSays(question) ?? sentence(WORDS));
    });
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    service = await startTestService({ yaml: yaml(upstream.url), log: pino({ level: "warn" }, stream) });
  });
  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  let asked = 0;
  /** Answers that each deployment gave, but for those to its plain callers. */
  const answered: Record<string, number> = {};
  const ask = async (headers: object = {}): Promise<string> => {
    const content = `Question ${asked++} about nothing in particular`;
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify({ model: "attune/audited", messages: [{ role: "user", content }] }),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const servedBy = response.headers.get("attune-served-by") ?? "nobody";
    answered[servedBy] = (answered[servedBy] ?? 0) + 1;
    return servedBy;
  };
  const askOften = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, () => ask()));
  const stateOf = async (name: string) =>
    (await createAuditStore(service.store).readAll()).find(({ key }) => key.place.upstream === name);
  const metric = async (line: RegExp) =>
    Number(line.exec(await (await fetch(`${service.adminUrl}/metrics`)).text())?.[1]);
  const callsOf = (name: string) =>
    metric(new RegExp(`attune_audit_calls_total\\{model="audited",upstream="${name}",upstream_model="real"\\} (\\d+)`));
  /** Resolves once every answer was compared: base is asked twice for each. */
  const compared = async (): Promise<void> => {
    for (const name of ["quiet", "second"]) {
      const answers = answered[name] ?? 0;
      if (answers > 0) await expect.poll(() => callsOf(name)).toBe(2 * answers);
    }
    await expect.poll(async () => (await stateOf("second"))?.evidence.total.samples ?? 0).toBe(answered["second"] ?? 0);
  };

  it("finds the deployment that quietly serves another model within 500 samples, takes it out, and says so", async () => {
    for (let round = 0; round < 1000 && (await stateOf("quiet"))?.standing !== "out"; round += 10) {
      await askOften(10);
      await compared();
    }
    const found = await stateOf("quiet");
    expect(found).toMatchObject({ standing: "out", key: { model: "audited" }, plainPlace: { upstream: "first" } });
    expect(found?.evidence.total.samples).toBeLessThanOrEqual(500);
    expect(found?.difference?.by).toContain("text");
    expect(lines.filter(({ upstream: of }) => of === "quiet")).toEqual([
      expect.objectContaining({
        level: 50,
        model: "audited",
        upstreamModel: "real",
        msg: expect.stringContaining("not asked any more"),
      }),
    ]);
    await expect
      .poll(() => metric(/attune_audit_out\{model="audited",upstream="quiet",upstream_model="real"\} (\d)/))
      .toBe(1);
    const servedBy: string[] = [];
    // One that was slow by chance is asked less for a while.
    while (servedBy.length < 40 || new Set(servedBy).size < 2) {
      servedBy.push(...(await askOften(10)));
      await compared();
    }
    expect(new Set(servedBy)).toEqual(new Set(["first", "second"]));
  });

  it("leaves in the one that is equal", async () => {
    const samples = async () => (await stateOf("second"))?.evidence.total.samples ?? 0;
    for (let round = 0; round < 100 && (await samples()) < 40; round++) {
      await askOften(10);
      await compared();
    }
    expect(await stateOf("second")).toMatchObject({ standing: "open", history: [] });
    expect(await samples()).toBeGreaterThanOrEqual(40);
  });

  it("has nothing of it appear among the callers' inferences, and counts what it costs", async () => {
    await service.flush();
    const { count } = await service.store
      .query()
      .selectFrom("Inference")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(asked);
    const calls = await callsOf("quiet");
    expect(calls).toBeGreaterThan(20);
    // 10 tokens of a prompt at 3 USD a million and 40 of an answer at 15 are 630,000 billionths of a USD.
    expect(
      await metric(/attune_audit_cost_nano_usd_total\{model="audited",upstream="quiet",upstream_model="real"\} (\d+)/),
    ).toBe(calls * 630_000);
  });

  it("reports it over RPC to any key, with intervals", async () => {
    const list = async (model: string) => {
      const response = await fetch(`${service.url}/attune.model.v1.ModelService/ListDeploymentAudits`, {
        method: "POST",
        headers: service.headers,
        body: JSON.stringify({ model }),
      });
      return ((await response.json()) as { audits?: Record<string, unknown>[] }).audits ?? [];
    };
    await expect
      .poll(async () => (await list("attune/audited")).map(({ upstream }) => upstream))
      .toEqual(["quiet", "second"]);
    const [quiet] = await list("");
    expect(quiet).toMatchObject({
      model: "attune/audited",
      upstream: "quiet",
      upstreamModel: "real",
      standing: "AUDIT_STANDING_OUT",
      comparedUpstream: "first",
      comparedUpstreamModel: "real",
      differentBy: expect.arrayContaining(["text"]),
      // Nothing was asked for at temperature 0.
      textDistance: expect.any(Number),
      measures: expect.arrayContaining([
        {
          measure: "text",
          expected: 1 / 3,
          eValue: expect.any(Number),
          share: {
            estimate: expect.any(Number),
            low: expect.any(Number),
            high: expect.any(Number),
            count: expect.any(Number),
          },
        },
      ]),
    });
    expect(quiet).not.toHaveProperty("match");
    expect(await list("attune/other")).toEqual([]);
  });

  it("compares nothing that is asked for plainly", async () => {
    const before = upstream.received.length;
    for (let count = 0; count < 5; count++) await ask({ "attune-optimize": "off" });
    expect(upstream.received.length).toBe(before + 5);
  });

  it("asks a deployment again that an operator puts back", async () => {
    const key = { model: "audited", place: { upstream: "quiet", model: "real" } };
    await createAuditStore(service.store).change(key, (known) =>
      putBack(known ?? expect.fail("it is not there"), true, new Date()),
    );
    await expect.poll(() => askOften(10)).toContain("quiet");
  });
});

describe("the equivalence audit, where its money is used up", () => {
  it("compares nothing more, and says so", async () => {
    const upstream = await startScriptedUpstream();
    upstream.answerBy(() => chatAnswer(sentence(WORDS)));
    // Two calls of 630,000 billionths of a USD each are more than the tenth of a cent that is there to begin with.
    const service = await startTestService({ yaml: yaml(upstream.url, ", usdPerDay: 0.01") });
    const ask = async (question: number): Promise<void> => {
      const body = { model: "attune/audited", messages: [{ role: "user", content: `Question ${question}` }] };
      const response = await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: service.headers,
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
    };
    const totalOf = async (name: string, label: RegExp): Promise<number> => {
      const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
      const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) && label.test(line));
      return lines.reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
    };
    try {
      let question = 0;
      const skipped = async (): Promise<number> => {
        await ask(question++);
        return totalOf("attune_audit_skipped_total", /reason="spend"/);
      };
      await expect.poll(skipped).toBeGreaterThan(3);
      const calls = await totalOf("attune_audit_calls_total", /./);
      expect(calls).toBeGreaterThanOrEqual(2);
      // Four answers at a time, and two calls for each of them.
      expect(calls).toBeLessThanOrEqual(8);
    } finally {
      await service.close();
      await upstream.close();
    }
  });
});
