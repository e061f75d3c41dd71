import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { encodeRequest } from "../../src/hub/request-bytes.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { attemptRow, feedbackRow, idAt, inferenceRow } from "../support/rows.ts";
import { waitUntil } from "../support/wait.ts";
import { Caller } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People } from "./people.ts";

describe.each(ENGINES)("GET /dashboard/api/export/history on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  async function get(caller: Caller, input: unknown, headers: Readonly<Record<string, string>> = {}) {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    return await fetch(`${service.url}/dashboard/api/export/history?input=${encodeURIComponent(text)}`, {
      headers: { ...headers, ...(caller.cookie === undefined ? {} : { cookie: caller.cookie }) },
    });
  }

  async function refusal(answer: Response) {
    const { error } = (await answer.json()) as { error: { message: string } };
    return [answer.status, error.message];
  }

  it("lets in who may look at the project, and nobody else", async () => {
    const { projectId, byRole, nobody, stranger } = people;
    const input = { projectId, filter: {} };
    const { billing, ...readers } = byRole;
    expect((await get(billing, input)).status).toBe(403);
    for (const caller of Object.values(readers)) {
      const answer = await get(caller, input);
      // Two run at a time: the next waits for the end of this one.
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
    expect(await refusal(await get(nobody, input))).toEqual([401, "you are not signed in"]);
    expect(await refusal(await get(stranger, input))).toEqual([404, "there is no such project"]);
    expect(await refusal(await get(new Caller(service.url), input))).toEqual([401, "you are not signed in"]);
    const foreign = await get(byRole.viewer, input, { "sec-fetch-site": "cross-site" });
    expect(await refusal(foreign)).toEqual([403, "this request comes from another site"]);
  });

  it("names what is wrong", async () => {
    const { projectId, byRole } = people;
    expect(await refusal(await get(byRole.viewer, "{"))).toEqual([400, "input: must be JSON"]);
    const wrong = await get(byRole.viewer, { projectId, filter: { from: "x" } });
    expect(await refusal(wrong)).toEqual([400, "filter.from: must be a time such as 2027-01-31T00:00:00.000Z"]);
  });

  it("writes a line for each request that the filter lets through, the newest first", async () => {
    const { projectId, byRole } = people;
    const rows = Array.from({ length: 230 }, (_, index) =>
      inferenceRow({ id: idAt("2026-11-21T10:00:00Z", index + 1), projectId, model: index < 225 ? "a" : "b" }),
    );
    const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
    const request = encodeRequest(createHubInput({ system: [text("asked\nof it")] }));
    const response = toBinary(GenerateResponseSchema, create(GenerateResponseSchema, { content: [text("answered")] }));
    const newest = rows[224];
    await writeBatch(service.store, {
      inferences: rows.map((row) =>
        row === newest
          ? { row, attempts: [attemptRow({ id: row.id, upstream: "east" })], request, response }
          : { row, attempts: [], request: undefined, response: undefined },
      ),
      feedback: [
        feedbackRow({ inferenceId: newest?.id ?? "", projectId, tags: { channel: "web" } }),
        ...Array.from({ length: 1100 }, (_, at) =>
          feedbackRow({ inferenceId: rows[222]?.id ?? "", projectId, floatValue: at }),
        ),
      ],
    });
    const answer = await get(byRole.viewer, { projectId, filter: { model: "a" } });
    expect(answer.headers.get("content-type")).toBe("application/jsonl; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="attune-requests-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.jsonl"$/,
    );
    const body = await answer.text();
    expect(body.endsWith("\n")).toBe(true);
    const lines = body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; feedback: { value: number }[] });
    expect(lines.map(({ id }) => id)).toEqual(
      rows
        .slice(0, 225)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(lines[0]).toMatchObject({
      id: newest?.id,
      facts: { model: "a", costNanos: 1000, cacheSavedNanos: 0, usageEstimated: false },
      attempts: [{ position: 0, upstream: "east", outcome: "completed", isWinner: true }],
      request: { system: [{ text: { text: "asked\nof it" } }] },
      answer: { content: [{ text: { text: "answered" } }] },
      feedback: [{ name: "quality", value: 1, tags: { channel: "web" } }],
    });
    expect(lines[1]).toMatchObject({ request: null, answer: null, attempts: [], feedback: [] });
    // More than is held at a time.
    expect(lines[2]?.feedback.map(({ value }) => value)).toEqual(Array.from({ length: 1100 }, (_, at) => at));
  });

  it("runs two at a time, and ends those whose client goes away", async () => {
    const { projectId, byRole } = people;
    // So much text that no buffer on the way takes it whole.
    const text = { kind: { case: "text" as const, value: { text: "x".repeat(1_000_000) } } };
    const request = encodeRequest(createHubInput({ system: [text] }));
    const rows = Array.from({ length: 60 }, (_, index) =>
      inferenceRow({ id: idAt("2026-11-21T11:00:00Z", index + 1), projectId, model: "large" }),
    );
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request, response: new Uint8Array() })),
      feedback: [],
    });
    const input = { projectId, filter: { model: "large" } };
    const running = [await get(byRole.viewer, input), await get(byRole.viewer, input)];
    expect(await refusal(await get(byRole.viewer, input))).toEqual([
      429,
      "other exports are running: try again shortly",
    ]);
    for (const { body } of running) await body?.cancel();
    const again = await waitUntil(async () => {
      const answer = await get(byRole.viewer, input);
      return answer.status !== 429 && answer;
    });
    expect(again.status).toBe(200);
    expect((await again.text()).trimEnd().split("\n").length).toBe(60);
  });
});
