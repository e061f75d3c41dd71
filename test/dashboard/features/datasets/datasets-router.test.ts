import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { encodeRequest } from "../../../../src/hub/request-bytes.ts";
import { createDataset } from "../../../../src/operations/datasets.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createDatasetRunStore } from "../../../../src/store/learning/dataset-run-store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });

describe.each(ENGINES)("datasets on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;
  let member: Caller;
  let count = 0;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
    member = people.byRole.developer;
  });

  afterAll(() => service.close());

  async function write(asked: string, changes: Partial<InferenceRow> = {}): Promise<InferenceRow> {
    count += 1;
    const { projectId } = people;
    const row = inferenceRow({ id: idAt("2026-11-21T10:00:00Z", count), projectId, ...changes });
    const messages = [{ role: Role.USER, content: [text(asked)] }];
    const request = encodeRequest(createHubInput({ model: "m", dialect: Dialect.CHAT, messages }));
    const response = toBinary(GenerateResponseSchema, create(GenerateResponseSchema, { content: [text("Yes.")] }));
    const inference = { row, attempts: [], request, response, words: [asked, "Yes."] as const };
    await writeBatch(service.store, { inferences: [inference], feedback: [] });
    return row;
  }

  const rate = ({ id }: InferenceRow, booleanValue: boolean) => {
    const value = { name: "helpful", kind: "boolean", booleanValue, floatValue: null };
    const feedback = [feedbackRow({ inferenceId: id, projectId: people.projectId, ...value })];
    return writeBatch(service.store, { inferences: [], feedback });
  };

  async function call(kind: "query" | "mutate", path: string, input: object) {
    const { data, error } = await member[kind](path, { projectId: people.projectId, ...input });
    expect(error).toBeUndefined();
    return data as Record<string, unknown>;
  }

  async function download(input: object): Promise<string[]> {
    const asked = encodeURIComponent(JSON.stringify({ projectId: people.projectId, ...input }));
    const answer = await fetch(`${service.url}/dashboard/api/export/dataset?input=${asked}`, {
      headers: { cookie: member.cookie ?? "" },
    });
    expect(answer.status).toBe(200);
    return (await answer.text()).split("\n").filter((line) => line !== "");
  }

  it("keeps requests that a filter or a person chose, and exports them with what feedback says", async () => {
    const [good, bad, plain] = [
      await write("One?", { model: "a" }),
      await write("Two?", { model: "a" }),
      await write("Three?"),
    ];
    await rate(good, true);
    await rate(bad, false);
    const { id } = await call("mutate", "datasets.create", { name: "answers" });
    const added = await call("mutate", "datasets.addFiltered", { id, filter: { model: "a" } });
    expect(added).toEqual({ added: 2, isComplete: true });
    expect(await call("mutate", "datasets.add", { id, inferenceIds: [plain.id, good.id] })).toEqual({ added: 1 });
    const { rows, dataset } = await call("query", "datasets.rows", { id });
    expect([dataset, rows]).toMatchObject([
      { name: "answers", rows: 3 },
      [{ id: plain.id }, { id: bad.id }, { id: good.id, prompt: "One?", feedback: { good: 1, bad: 0, others: 0 } }],
    ]);
    const example = (asked: string, more: object = {}) => ({
      messages: [
        { role: "user", content: asked },
        { role: "assistant", content: "Yes.", ...more },
      ],
    });
    const openai = await download({ id, form: "openai" });
    expect(openai.map((line) => JSON.parse(line))).toEqual([
      example("Three?", { weight: 1 }),
      example("Two?", { weight: 0 }),
      example("One?", { weight: 1 }),
    ]);
    expect((await download({ id, form: "openai", rated: "good" })).map((line) => JSON.parse(line))).toEqual([
      example("One?", { weight: 1 }),
    ]);
    expect((await download({ id, form: "anthropic" })).map((line) => JSON.parse(line))).toEqual([
      example("Three?"),
      example("One?"),
    ]);
    const records = (await download({ id, form: "records", rated: "good" })).map((line) => JSON.parse(line));
    expect(records).toMatchObject([{ id: good.id, feedback: [{ name: "helpful", value: true }] }]);
    await call("mutate", "datasets.drop", { id, inferenceId: plain.id });
    const { next, ...left } = await call("query", "datasets.rows", { id, limit: 1 });
    expect([left["rows"], next]).toMatchObject([[{ id: bad.id }], bad.id]);
    await call("mutate", "datasets.remove", { id });
    expect(await call("query", "datasets.list", {})).toEqual([]);
  });

  it("runs one against two models in the background, at a cost that was confirmed", async () => {
    const models = ["gpt-6-astra", "claude-sonnet-5-5"];
    const rows = [await write("First?", { model: "gpt-6-astra" }), await write("Second?", { model: "gpt-6-astra" })];
    const { id } = await call("mutate", "datasets.create", { name: "to run" });
    await call("mutate", "datasets.add", { id, inferenceIds: rows.map((row) => row.id) });
    const { nanos, ...estimate } = await call("query", "datasetRuns.estimate", { id, models });
    expect([estimate, nanos]).toEqual([{ requests: 2, graded: 0, unpriced: [] }, expect.any(Number)]);
    expect(nanos).toBeGreaterThan(0);
    const judged = await call("query", "datasetRuns.estimate", { id, models, judge: "claude-haiku-5-5" });
    expect(judged).toMatchObject({ requests: 2, graded: 2 });
    expect(judged["nanos"]).toBeGreaterThan(Number(nanos));
    const { projectId } = people;
    const strange = await member.query("datasetRuns.estimate", { projectId, id, models, judge: "nobody" });
    expect(strange.error?.message).toBe("judge: isn't a model that this project may call");
    const less = { projectId, id, models, confirmedNanos: Number(nanos) - 1 };
    expect((await member.mutate("datasetRuns.start", less)).error?.message).toMatch(/costs more than was confirmed/);
    const early = await member.query("datasets.exportPlan", { projectId, id, form: "replay" });
    expect(early.error?.message).toMatch(/run the dataset first/);
    const run = await call("mutate", "datasetRuns.start", { id, models, confirmedNanos: nanos });
    const read = () => call("query", "datasetRuns.read", { id: run["id"] });
    await expect.poll(async () => (await read())["run"]).toMatchObject({ state: "completed", models, requests: 2 });
    const side = { answered: 2, failed: 0, passed: 2, graded: 0, wins: 0, costNanos: expect.any(Number) };
    expect((await read())["totals"]).toMatchObject({ done: 2, skipped: 0, ties: 2, sides: [side, side] });
    const answers = await call("query", "datasetRuns.answers", { id: run["id"] });
    const answered = (said: string) => ({ outcome: "answered", score: 1, text: expect.stringContaining(said) });
    expect(answers).toMatchObject({
      pairs: [
        { prompt: "Second?", recordedAnswer: "Yes.", answers: [answered("Second?"), answered("Second?")] },
        { prompt: "First?", answers: [answered("First?"), answered("First?")] },
      ],
      next: null,
    });
    // They are calls of no key, and count in no figure.
    expect(
      await service.store.query().selectFrom("Inference").select("id").where("projectId", "=", projectId).execute(),
    ).toHaveLength(count);
    expect(await call("query", "datasetRuns.list", { id })).toMatchObject({
      runs: [{ id: run["id"] }],
      models: expect.arrayContaining(models),
    });
    const [first = "", ...others] = await download({ id, form: "replay" });
    const values = { [models[0] ?? ""]: expect.any(Number), [models[1] ?? ""]: expect.any(Number) };
    expect([JSON.parse(first), others.length]).toEqual([
      { dataset: "gpt-6-astra", prompt_id: rows[1]?.id, prompt: "Second?", scores: values, cost: values },
      1,
    ]);
    const ended = await member.mutate("datasetRuns.cancel", { projectId, id: run["id"] });
    expect(ended.error?.message).toBe("id: there is no such run under way");
    await call("mutate", "datasets.remove", { id });
    for (const table of ["DatasetRun", "DatasetAnswer", "DatasetAnswerText"] as const) {
      expect(await service.store.query().selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it("runs one at a time in a project; a run whose process is silent was interrupted", async () => {
    const { projectId } = people;
    const { datasets, datasetRuns } = service.dashboard;
    const place = { projectId, id: (await createDataset(datasets, projectId, "busy")).id };
    const run = { models: ["a", "b"], requests: 1, estimatedNanos: null } as const;
    const first = (await datasetRuns.create(place, run)) ?? "";
    expect(await datasetRuns.create(place, run)).toBe("busy");
    await service.store
      .query()
      .updateTable("DatasetRun")
      .set({ beatAt: new Date(Date.now() - 61_000) })
      .execute();
    expect(await datasetRuns.read({ projectId, id: first })).toMatchObject({ state: "interrupted" });
    expect(await datasetRuns.cancel({ projectId, id: first })).toBe(false);
    const second = (await datasetRuns.create(place, run)) ?? "";
    const runs = createDatasetRunStore(service.store);
    expect(await runs.beat(second)).toBe(true);
    expect(await datasetRuns.cancel({ projectId, id: second })).toBe(true);
    expect(await runs.beat(second)).toBe(false);
    await runs.end(second, "cancelled");
    expect((await datasetRuns.list(place)).map(({ id, state }) => [id, state])).toEqual([
      [second, "cancelled"],
      [first, "interrupted"],
    ]);
  });

  it("takes no requests of other projects, no name twice, and no dataset of another project", async () => {
    const { id } = await call("mutate", "datasets.create", { name: "own" });
    const foreign = await write("Whose?", { projectId: (await createPeople(service)).projectId });
    expect(await call("mutate", "datasets.add", { id, inferenceIds: [foreign.id] })).toEqual({ added: 0 });
    const { error } = await member.mutate("datasets.create", { projectId: people.projectId, name: "own" });
    expect(error?.message).toBe("name: is the name of another dataset");
    const other = await createPeople(service);
    const refused = await other.byRole.developer.query("datasets.rows", { projectId: other.projectId, id });
    expect(refused.error?.message).toBe("id: there is no such dataset");
  });
});
