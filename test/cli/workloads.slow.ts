import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createShadowStore } from "../../src/store/learning/shadow-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { said, served, several, write } from "../store/learning/fill.ts";
import { DECISION } from "../support/inference-record.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { shadowRecord } from "../support/shadow-record.ts";

const BASE = "claude-fable-5-2";
const OTHER = "gpt-6-astra";

let folder: CliFolder;
let store: Store;

beforeAll(async () => {
  folder = createCliFolder();
  store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
  const row = served({ model: BASE, servedModel: OTHER });
  const best = several({ model: BASE }, "short");
  await writeBatch(store, { inferences: [write(row), best], feedback: [said(row, true), said(best.row, true)] });
  const shadow = createShadowStore(store);
  const reservation = (await shadow.reserve({ budget: "", mostNanos: 1 }, 0)) ?? { day: 0, budget: "", nanos: 0 };
  const facts = { inferenceId: row.id, model: BASE, family: row.family, servedModel: OTHER };
  await shadow.write(shadowRecord({ ...facts, trialModel: BASE, costNanos: 2_500_000 }), reservation);
  const check = { kind: "check", trialModel: null, trialGood: null, servedGood: true, reward: 1 } as const;
  await shadow.write(shadowRecord({ ...facts, ...check, costNanos: null }), reservation);
});

afterAll(async () => {
  await store.close();
  await folder.remove();
});

async function attune(...args: string[]) {
  const { status, stdout, stderr } = await folder.run(["workloads", ...args]);
  return { status, said: (stdout + stderr).trimEnd() };
}

describe("attune workloads", () => {
  it("says so where nothing was learned", async () => {
    expect(await attune("list")).toEqual({ status: 0, said: "no workload has learned state yet" });
  });

  it("has all learned anew, lists it and shows it", async () => {
    expect(await attune("rebuild")).toEqual({ status: 0, said: "default: 1 workloads, learned from 5 events" });
    const [heading, row] = (await attune("list")).said.split("\n");
    expect(heading?.split(/ {2,}/)).toEqual(["MODEL", "MODE", "HELD", "REWARDS", "LEARNED"]);
    expect(row?.split(/ {2,}/).slice(0, 4)).toEqual([`attune/${BASE}`, "on", "no", "1"]);
    const shown = (await attune("show", `attune/${BASE}`)).said;
    expect(shown).toContain("mode: on   held: no   objective: quality   feedback: voluntary");
    expect(shown).toMatch(new RegExp(`^attune/${OTHER} +0\\.\\d{3} +-?\\d\\.\\d{3} +1 +0$`, "m"));
    expect(shown).toMatch(
      /^selector: 1 rewards {3}right in 0\.\d\d of pairs \(0\.\d\d to \d\.\d\d\), over 1 randomly chosen answers {3}not proven$/m,
    );
    expect(shown).toContain("shadow trials (30 days): 1 trial and 1 check of the judge, 0.0025 USD");
    expect(shown).toContain("judge: not yet known: 1 graded answer with feedback (1 liked, 0 disliked)");
    // The short answer was good.
    expect(shown).toMatch(/^length +-0\.\d{3} +1\.\d{3}$/m);
    expect(shown).toMatch(/Z {2}rebuilt {2}rewards 1$/m);
  });

  it("holds a workload, or all of a project", async () => {
    expect((await attune("mode", "on")).said).toBe("all workloads in the default project: mode on");
    expect((await attune("freeze", "--model", BASE)).said).toBe(
      `${BASE} in the default project: frozen: only base answers`,
    );
    expect((await attune("list")).said).toMatch(/ on +frozen /);
    expect((await attune("pin", OTHER, "--model", BASE)).said).toContain(`pinned: ${OTHER} answers wherever it can`);
    expect((await attune("show", BASE)).said).toContain(`held: pinned to attune/${OTHER}`);
    await attune("exclude", OTHER, "--project", "default");
    expect((await attune("free", "--model", BASE)).said).toContain("free: the policy chooses");
    expect((await attune("show", BASE)).said).toContain(`mode: on   held: no   objective: quality`);
    expect((await attune("show", BASE)).said).toContain(`excluded: attune/${OTHER}`);
  });

  it("says how metrics count, and that nothing is said", async () => {
    const whole = await attune("metric", "tone", "--weight", "0", "--direction", "min");
    expect(whole.said).toBe("all workloads in the default project: tone: weight 0, better when smaller");
    expect((await attune("show", BASE)).said).toContain("metric tone: weight 0, better when smaller");
    await attune("metric", "right", "--at-least", "0.8", "--model", BASE);
    await attune("metric", "words", "--at-most=-1.5", "--model", BASE);
    const shown = (await attune("show", BASE)).said;
    expect(shown).toContain("metric right: at least 0.8\nmetric words: at most -1.5");
    expect(shown).not.toContain("metric tone");
    await attune("metric", "right", "--model", BASE);
    expect((await attune("metric", "words", "--model", BASE)).said).toBe(
      `${BASE} in the default project: words: default`,
    );
    expect((await attune("show", BASE)).said).toContain("metric tone");
    await attune("metric", "tone");
    for (const [wrong, why] of [
      [["--weight", "1.1"], "must be from 0 to 1"],
      [["--at-least", "x"], "must be a number"],
      [["--direction", "up"], "Allowed choices are max, min"],
      [["--at-least", "2", "--at-most", "1"], "the lower bound is above"],
    ] as const) {
      expect((await attune("metric", "tone", ...wrong)).said).toContain(why);
    }
  });

  it("sets the objective, the unit and shadow trials, of a workload and of a project", async () => {
    const whole = await attune("set", "--objective", "cost", "--unit", "request", "--shadow", "0.1", "--usd-day", "2");
    expect(whole.said).toContain(
      "   held: no   objective: cost   feedback: voluntary   unit: request\n" +
        "shadow: 10% of the answers, but no judge is set: nothing is tried",
    );
    expect(whole.said).not.toContain("reward per price");
    const priced = await attune("set", "--reward-per-price", "0.02", "--objective", "balanced", "--model", BASE);
    expect(priced.said).toContain("reward per price: 0.02 for each price of base more");
    const inherited = await attune("set", "--reward-per-price", "default", "--model", BASE);
    expect(inherited.said).toContain("reward per price: 0.005 for each price of base more");
    const one = await attune("set", "--judge", OTHER, "--rubric", "Short.", "--objective", "quality", "--model", BASE);
    expect(one.said).toContain(
      `shadow: 10% of the answers, judged by attune/${OTHER} with a rubric, up to 2 USD a day of the`,
    );
    expect((await attune("show", BASE)).said).toContain("objective: quality   feedback: voluntary   unit: request");
    await attune("set", "--objective", "default", "--unit", "default", "--shadow", "default", "--usd-day", "default");
    expect((await attune("show", BASE)).said).toContain("unit: session\nshadow: off");
    await attune("set", "--judge", "default", "--rubric", "default", "--objective", "default", "--model", BASE);
    for (const [wrong, why] of [
      [[], "nothing to set"],
      [["--objective", "best"], "must be quality, balanced, cost, latency, default"],
      [["--shadow", "2"], "must be from 0 to 1"],
      [["--reward-per-price", "-0.1"], "must be from 0 to 1"],
      [["--usd-day", "-1"], "must be from 0 to 1000000"],
      [["--judge", "none"], "--judge: isn't in the catalog"],
    ] as const) {
      expect((await attune("set", ...wrong)).said).toContain(why);
    }
  });

  it("forgets what was learned", async () => {
    expect((await attune("reset", BASE)).said).toBe(`${BASE} in the default project is reset`);
    expect((await attune("show", BASE)).said).toContain("no learned state yet");
    expect(await attune("reset", OTHER)).toEqual({
      status: 1,
      said: `attune: nothing was learned of the workload '${OTHER}'`,
    });
  });

  it("tells of models and projects that are not there", async () => {
    expect((await attune("freeze", "--model", "none")).said).toMatch(/^attune: the model 'none' does not exist/);
    expect(await attune("list", "--project", "none")).toEqual({
      status: 1,
      said: "attune: there is no project 'none'",
    });
  });
});

describe("attune workloads show", () => {
  it("tells how long several answers take beside those of base, of streams their first tokens too", async () => {
    const configured = createCliFolder();
    writeFileSync(
      join(configured.path, "attune.yaml"),
      `upstreams: { up: { kind: openai-chat, baseUrl: "http://127.0.0.1:9/v1" } }
models:
  - name: asked
    family: chat
    contextWindow: 1000
    maxOutputTokens: 100
    candidates: { max: 2, learned: on }
    deployments: [ { upstream: up, model: real } ]
`,
    );
    const filled = await openStore(`sqlite:${join(configured.path, "data", "attune.db")}`);
    const rows = Array.from({ length: 30 }, (_, at) => {
      const times = { streamed: at % 2 === 0, latencyMs: 2000, timeToFirstTokenMs: 100 };
      return served({ model: "asked", servedModel: "asked", ...times });
    });
    const ofSeveral = Array.from({ length: 12 }, () => {
      const row = served({
        model: "asked",
        servedModel: "asked",
        streamed: true,
        latencyMs: 3000,
        timeToFirstTokenMs: 3000,
      });
      return { ...row, decision: { ...DECISION, several: "best,best" } };
    });
    await writeBatch(filled, { inferences: [...rows, ...ofSeveral].map(write), feedback: [] });
    await filled.close();
    const run = async (...args: string[]) => (await configured.run(["workloads", ...args])).stdout;
    expect(await run("rebuild")).toContain("learned from 42 events");
    const shown = (await run("show", "asked")).split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(shown).toContainEqual(["MODEL", "UNTIL", "MEAN MS", "ANSWERS", "TIMES BASE"]);
    expect(shown).toContainEqual(["attune/asked (base)", "first token of a stream", "100", "15", "-"]);
    expect(shown).toContainEqual(["best,best", "first token of a stream", "3000", "12", "30.00 (30.00 to 30.00)"]);
    expect(shown).toContainEqual(["best,best", "end of a stream", "3000", "12", "1.50 (1.50 to 1.50)"]);
    // Of whole answers there are none of several, and so nothing to hold base's against.
    expect(shown.flat()).not.toContain("whole answer");
    await configured.remove();
  });
});
