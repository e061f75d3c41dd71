import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { PlannedAttempt } from "../../../src/inference/ports.ts";
import { DatasetRunner } from "../../../src/learning/dataset-runs/dataset-runner.ts";
import type { PlannedRun, RunAnswer, RunModels, RunPorts } from "../../../src/learning/dataset-runs/ports.ts";

const usage = create(UsageSchema, { inputTokens: 100, outputTokens: 10 });
const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
const saying = (said: string) => create(GenerateResponseSchema, { content: [text(said)], finished: { usage } });
const planned = (name: string) => ({ model: { name, maxOutputTokens: 4096 } }) as PlannedAttempt;
const input = createHubInput({ messages: [{ role: Role.USER, content: [text("?")] }] });

const request = (inferenceId: string, judge = true) => ({
  inferenceId,
  model: "base",
  family: "tag:a",
  inputTokens: 10,
  outputTokens: 10,
  judge: judge ? { model: "judge", rubric: "Be right." } : undefined,
});

interface Faked {
  readonly models?: Partial<RunModels>;
  readonly store?: Partial<RunPorts["store"]>;
  readonly budgets?: RunPorts["budgets"];
}

/** A runner of models that answer with their own name, which the judge likes where it is `good`. */
function start(run: Partial<PlannedRun> = {}, { models, store, budgets }: Faked = {}) {
  const seen = { answers: [] as RunAnswer[], states: [] as string[], failures: [] as unknown[] };
  const runner = new DatasetRunner({
    models: () => ({
      find: planned,
      price: () => 1000,
      ask: async (_, { input: { messages } }) => {
        const [{ kind } = { kind: undefined }] = messages.flatMap(({ content }) => content);
        const material = kind?.case === "text" ? kind.value.text : "";
        const satisfactory = (JSON.parse(material) as { answer: string }).answer === "good";
        return { response: saying(JSON.stringify({ satisfactory, reason: "So." })), usage, costNanos: 2 };
      },
      answer: async ({ model }) => ({ response: saying(model.name), usage, costNanos: 7 }),
      problemOf: () => undefined,
      check: async (_, { response }) => (response.content.length === 0 ? ["empty"] : []),
      ...models,
    }),
    store: {
      write: async (_, answers) => void seen.answers.push(...answers),
      beat: async () => true,
      end: async (_, state) => void seen.states.push(state),
      readAnswer: async () => ({ input, response: saying("given") }),
      readRated: async () => [],
      ...store,
    },
    budgets: budgets ?? { reserve: async () => () => {} },
    onFailure: (error) => seen.failures.push(error),
    pauseMs: 0,
  });
  const requests = [request("i")];
  runner.begin({ id: "r", projectId: "p", models: ["bad", "good"], requests, mostNanos: undefined, ...run });
  const state = () => expect.poll(() => seen.states.join()).not.toBe("");
  return { runner, seen, ended: state };
}

describe("DatasetRunner", () => {
  it("asks both models, has their answers checked and graded, and pays from the budgets", async () => {
    const spent: number[] = [];
    const budgets = { reserve: async () => (nanos: number) => void spent.push(nanos) };
    const { seen, ended } = start({}, { budgets });
    await ended();
    expect(seen.states).toEqual(["completed"]);
    expect(seen.failures).toEqual([]);
    expect(seen.answers.toSorted((a, b) => a.side - b.side)).toMatchObject([
      { inferenceId: "i", side: 0, outcome: "answered", text: "bad", isGood: false, failedChecks: [], costNanos: 7 },
      { inferenceId: "i", side: 1, outcome: "answered", text: "good", isGood: true, gradeNanos: 2, inputTokens: 100 },
    ]);
    expect(spent).toEqual([9, 9]);
  });

  it("grades nothing where the workload has no judge, and skips what cannot be asked again", async () => {
    const requests = [request("plain", false), request("gone"), request("odd")];
    const readAnswer = async (id: string) =>
      id === "gone" ? undefined : { input: { ...input, n: id === "odd" ? 2 : 1 }, response: saying("given") };
    const problemOf = ({ n }: typeof input) => (n > 1 ? "it asks for several answers" : undefined);
    const { seen, ended } = start({ requests }, { store: { readAnswer }, models: { problemOf } });
    await ended();
    const found = seen.answers.filter(({ side }) => side === 0).map((a) => [a.inferenceId, a.outcome, a.problem]);
    expect(found.toSorted()).toEqual([
      ["gone", "skipped", "its conversation is not stored whole"],
      ["odd", "skipped", "it asks for several answers"],
      ["plain", "answered", null],
    ]);
    expect(seen.answers.map(({ isGood }) => isGood)).toEqual([null, null, null, null, null, null]);
  });

  it("tries a call again that failed in a way that passes, and no other", async () => {
    const calls = { bad: 0, good: 0 };
    const answer: RunModels["answer"] = async ({ model: { name } }) => {
      calls[name as "bad"] += 1;
      if (name === "bad") throw new InferenceError(ErrorReason.INVALID_REQUEST, "no such thing");
      if (calls.good < 3) throw new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy");
      return { response: saying("good"), usage, costNanos: 7 };
    };
    const { seen, ended } = start({}, { models: { answer } });
    await ended();
    expect(calls).toEqual({ bad: 1, good: 3 });
    expect(seen.answers.toSorted((a, b) => a.side - b.side)).toMatchObject([
      { outcome: "failed", problem: "no such thing", costNanos: null },
      { outcome: "answered", problem: null },
    ]);
  });

  it("ends where a budget has no room, or where it has spent the most that it may", async () => {
    const requests = Array.from({ length: 30 }, (_, at) => request(`i${at}`, false));
    let left = 3;
    const budgets = { reserve: async () => (left-- > 0 ? () => {} : undefined) };
    const refused = start({ requests }, { budgets });
    await refused.ended();
    expect([refused.seen.states, refused.seen.answers.length]).toEqual([["over-budget"], 3]);
    const answer: RunModels["answer"] = async ({ model }) => ({ response: saying(model.name), usage, costNanos: 0 });
    const free = start({ requests, mostNanos: 0 }, { models: { answer } });
    await free.ended();
    expect([free.seen.states, free.seen.answers.length]).toEqual([["completed"], 60]);
    const dear = start({ requests, mostNanos: 20 });
    await dear.ended();
    expect(dear.seen.states).toEqual(["over-budget"]);
    // What was under way when the limit was reached is still answered.
    expect(dear.seen.answers.length).toBeLessThanOrEqual(2 * (2 + 4));
  });

  it("is cancelled by a person, and interrupted by the end of its process; what was under way is paid", async () => {
    for (const [end, state] of [
      [(runner: DatasetRunner) => runner.cancel("r"), "cancelled"],
      [(runner: DatasetRunner) => void runner.close(), "interrupted"],
    ] as const) {
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      const answer: RunModels["answer"] = (_, _asked, signal) => {
        resolve();
        return new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
      };
      const { runner, seen, ended } = start({}, { models: { answer } });
      await asked;
      end(runner);
      await ended();
      expect(seen.states).toEqual([state]);
      expect(seen.answers.map(({ problem }) => problem)).toEqual(["interrupted", "interrupted"]);
      await runner.close();
      expect(runner.hasRoom).toBe(false);
    }
  });

  it("says that it broke off where its answers cannot be written", async () => {
    const { seen, ended } = start({}, { store: { write: () => Promise.reject(new Error("away")) } });
    await ended();
    expect(seen).toMatchObject({ states: ["interrupted"], failures: [new Error("away")] });
  });
});
