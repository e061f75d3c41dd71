import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { encodeRequest } from "../../../../src/hub/request-bytes.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const REQUEST = encodeRequest(
  createHubInput({ messages: [{ role: Role.USER, content: [text("Find  the\nparcel")] }] }),
);
const RESPONSE = toBinary(
  GenerateResponseSchema,
  create(GenerateResponseSchema, {
    content: [text("I look."), { kind: { case: "toolUse", value: { id: "t", name: "find_parcel", arguments: "{}" } } }],
  }),
);

describe.each(ENGINES)("sessions in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let day = 1;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });
  afterAll(() => service.close());

  async function begin() {
    const { byRole, projectId } = await createPeople(service);
    day += 1;
    const call = (time: string, index: number, changes: Partial<InferenceRow>) => {
      const at = `2026-11-${String(day).padStart(2, "0")}T${time}Z`;
      return inferenceRow({ projectId, id: idAt(at, index), startedAt: new Date(at), ...changes });
    };
    return { viewer: byRole.viewer, projectId, call };
  }

  const write = (rows: readonly InferenceRow[], feedback = [feedbackRow()]) =>
    writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: REQUEST, response: RESPONSE })),
      feedback,
    });

  it("are read as a tree in order, with totals and feedback", async () => {
    const { viewer, projectId, call } = await begin();
    const rows = [
      call("07:00:00", 1, { sessionId: "run" }),
      call("10:00:00", 2, { sessionId: "run", cacheReadTokens: 90, latencyMs: 1000 }),
      call("10:00:10", 3, { sessionId: "sub", parentSessionId: "run", servedModel: "other", deviation: "routed" }),
      call("10:00:20", 4, { sessionId: "deep", parentSessionId: "sub", status: "failed", costNanos: null }),
      call("10:00:30", 5, { sessionId: "run", latencyMs: 2000 }),
      call("10:00:40", 6, { sessionId: "another" }),
    ];
    const said = { projectId, name: "passed", kind: "boolean", booleanValue: true, floatValue: null };
    await write(rows, [
      feedbackRow({ ...said, id: idAt("2026-12-01T00:00:00Z", day * 10), inferenceId: rows[2]?.id ?? "" }),
      feedbackRow({ ...said, id: idAt("2026-12-01T00:00:01Z", day * 10), inferenceId: rows[0]?.id ?? "" }),
    ]);
    const { data } = await viewer.query("sessions.read", { projectId, sessionId: "run" });
    const step = (row: number, depth: number, number: number) => ({
      kind: "call",
      depth,
      number,
      call: { id: rows[row]?.id },
    });
    expect(data).toMatchObject({
      steps: [
        step(1, 0, 1),
        { kind: "session", depth: 1, sessionId: "sub" },
        { ...step(2, 1, 2), call: { servedModel: "other", deviation: "routed" } },
        { kind: "session", depth: 2, sessionId: "deep" },
        step(3, 2, 3),
        step(4, 0, 4),
      ],
      stepCount: 6,
      totals: {
        calls: 4,
        failed: 1,
        sessions: 3,
        promptTokens: 130,
        cachedTokens: 90,
        outputTokens: 80,
        pricedCalls: 3,
        costNanos: 3000,
        tookMs: 32_000,
        models: [
          { model: "some-model", calls: 3 },
          { model: "other", calls: 1 },
        ],
      },
      feedback: [{ name: "passed", value: true, inferenceId: rows[2]?.id }],
      hasEarlier: true,
      isCut: false,
      parentSessionId: null,
    });
    const later = await viewer.query("sessions.read", { projectId, sessionId: "run", offset: 5 });
    expect(later.data).toMatchObject({ steps: [step(4, 0, 4)], stepCount: 6, totals: { calls: 4 }, feedback: [] });
    const within = await viewer.query("sessions.read", { projectId, sessionId: "run", offset: 2 });
    expect(within.data).toMatchObject({ continued: { sessionId: "sub", depth: 1 } });
    expect([data, later.data]).toMatchObject([{ continued: null }, { continued: null }]);
    const sub = await viewer.query("sessions.read", { projectId, sessionId: "sub" });
    expect(sub.data).toMatchObject({ parentSessionId: "run", totals: { calls: 2 } });
  });

  it("have a timeline of all calls in order of time, with the lines that they stand on", async () => {
    const { viewer, projectId, call } = await begin();
    const sub = { sessionId: "sub", parentSessionId: "run" };
    await write(
      [
        call("10:00:00", 1, { sessionId: "run", cacheReadTokens: 90 }),
        call("10:00:10", 2, { ...sub, status: "failed", costNanos: null, outputTokens: null }),
        call("10:00:20", 3, { sessionId: "run" }),
        call("10:00:30", 4, sub),
      ],
      [],
    );
    const { data } = await viewer.query("sessions.timeline", { projectId, sessionId: "run" });
    const at = (second: number) => Date.UTC(2026, 10, day, 10, 0, second);
    const facts = { latencyMs: 1000, isFailed: false, tokens: 30, costNanos: 1000 };
    expect(data).toEqual({
      calls: [
        { ...facts, line: 0, number: 1, depth: 0, startMs: at(0), tokens: 120 },
        { ...facts, line: 2, number: 2, depth: 1, startMs: at(10), tokens: 10, isFailed: true, costNanos: 0 },
        { ...facts, line: 4, number: 3, depth: 0, startMs: at(20) },
        { ...facts, line: 3, number: 4, depth: 1, startMs: at(30) },
      ],
    });
    const none = await viewer.query("sessions.timeline", { projectId, sessionId: "another" });
    expect(none.error?.message).toBe("there is no such session");
  });

  it("tell how calls begin and which tools they called, of their own project alone", async () => {
    const { viewer, projectId, call } = await begin();
    const row = call("10:00:00", 1, { sessionId: "run" });
    await write([row], []);
    const outlines = (of: typeof viewer, project: string) =>
      of.query("sessions.outlines", { projectId: project, ids: [row.id] });
    expect((await outlines(viewer, projectId)).data).toEqual([
      { id: row.id, prompt: "Find the parcel", answer: "I look.", tools: ["find_parcel"] },
    ]);
    const stranger = await begin();
    expect((await outlines(stranger.viewer, stranger.projectId)).data).toEqual([]);
    const none = await stranger.viewer.query("sessions.read", { projectId: stranger.projectId, sessionId: "run" });
    expect(none.error?.message).toBe("there is no such session");
  });
});
