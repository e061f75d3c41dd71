import { setTimeout as sleep } from "node:timers/promises";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import {
  type CreateMetricRequestSchema,
  type FeedbackEventSchema,
  FeedbackService,
  Optimize,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { isUuid, newId } from "../../src/lib/ids.ts";
import { FeedbackEntry } from "../../src/store/entities/feedback-entry.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { readInference } from "../support/read-inference.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";
import { RIGHT_EVENTS, type StoredValue } from "./feedback/right-events.ts";
import { entries, plain } from "./feedback/values.ts";
import { WRONG_EVENTS } from "./feedback/wrong-events.ts";

/** One result over HTTP. */
interface Result {
  readonly feedback_ids: Readonly<Record<string, string>> | null;
  readonly error: { readonly status_code: number; readonly message: string } | null;
}

type RpcEvents = readonly MessageInitShape<typeof FeedbackEventSchema>[];

describe.each(ENGINES)("feedback on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;
  let rpc: Client<typeof FeedbackService>;
  let inferenceId: string;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
    rpc = createClient(FeedbackService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    inferenceId = await infer();
  });

  afterAll(() => service.close());

  function post(path: string, body: string, key = service.key): Promise<Response> {
    const headers = { ...service.headers, authorization: `Bearer ${key}` };
    return fetch(`${service.url}${path}`, { method: "POST", headers, body });
  }

  async function infer(key?: string): Promise<string> {
    const body = JSON.stringify({ model: "attune/gpt-6-astra", input: "Hello" });
    const response = await post("/v1/responses", body, key);
    return ((await response.json()) as { id: string }).id;
  }

  async function give(events: readonly (object | string)[], key?: string): Promise<Result[]> {
    const texts = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
    const response = await post("/v1/feedback", `[${texts.join(",")}]`, key);
    expect(response.status).toBe(200);
    return (await response.json()) as Result[];
  }

  async function giveOverRpc(events: RpcEvents) {
    const headers = { authorization: `Bearer ${service.key}` };
    const { results } = await rpc.createFeedback({ events: [...events] }, { headers });
    return results.map(({ outcome }) => outcome);
  }

  /** Reads entries as a table of cases writes them, by id. */
  async function readStored(ids: readonly string[]): Promise<Map<string, StoredValue & { readonly name: string }>> {
    await service.flush();
    const rows = await service.store.fork().find(FeedbackEntry, { id: { $in: [...ids] } });
    return new Map(
      rows.map((row) => {
        expect(row).toMatchObject({ inferenceId, projectId: DEFAULT_PROJECT.id });
        expect(service.key).toContain(`_${row.keyId}_`);
        expect(Date.now() - row.createdAt.getTime()).toBeLessThan(60_000);
        const { name, booleanValue, floatValue, textValue, optimize } = row;
        const values = [booleanValue, floatValue, textValue].filter((value) => value !== null);
        expect(values).toHaveLength(1);
        const kind = row.kind as StoredValue["kind"];
        const value = values[0] as StoredValue["value"];
        const tags = Object.keys(row.tags).length === 0 ? {} : { tags: row.tags };
        return [row.id, { name, kind, value, ...tags, ...(optimize === null ? {} : { optimize: optimize as "max" }) }];
      }),
    );
  }

  async function countEntries(): Promise<number> {
    await service.flush();
    return await service.store.fork().count(FeedbackEntry);
  }

  async function expectStored(
    ids: readonly (readonly [name: string, id: string])[],
    wanted: Readonly<Record<string, StoredValue>>,
  ): Promise<void> {
    expect(ids.map(([name]) => name)).toEqual(Object.keys(wanted));
    expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
    const stored = await readStored(ids.map(([, id]) => id));
    for (const [name, id] of ids) {
      expect(isUuid(id)).toBe(true);
      expect(stored.get(id)).toEqual({ name, ...wanted[name] });
    }
  }

  describe("over HTTP", () => {
    it.each(RIGHT_EVENTS)("stores $what", async ({ json, stored }) => {
      const rest = typeof json === "string" ? json : JSON.stringify(json).slice(1, -1);
      const [result] = await give([`{"id":"${inferenceId}",${rest}}`]);
      expect(result?.error).toBeNull();
      await expectStored(Object.entries(result?.feedback_ids ?? {}), stored);
    });

    it.each(WRONG_EVENTS.filter(({ json }) => json !== undefined))("refuses $what, whole", async (wrong) => {
      const { json = {}, message } = wrong;
      const before = await countEntries();
      const event = typeof json === "string" ? json.replace("ID", `"${inferenceId}"`) : { id: inferenceId, ...json };
      const [result] = await give([event]);
      expect(result).toEqual({
        feedback_ids: null,
        error: { status_code: 400, message: expect.stringContaining(message) },
      });
      expect(await countEntries()).toBe(before);
    });

    it("answers no events with no results", async () => {
      expect(await give([])).toEqual([]);
    });

    it("takes a single event without an array, and refuses what is neither", async () => {
      const alone = await post("/v1/feedback", JSON.stringify({ id: inferenceId, feedback: { helpful: true } }));
      expect([alone.status, await alone.json()]).toMatchObject([200, [{ error: null }]]);
      const response = await post("/v1/feedback", JSON.stringify("good"));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining("must be a feedback event, or an array of them") },
      });
    });

    it("answers in order, and keeps what is right apart from what is wrong", async () => {
      const right = (value: number) => ({ id: inferenceId, feedback: { value } });
      const unknown = { id: newId(), feedback: { value: 5 } };
      const results = await give(["null", right(1), unknown, right(2), { ...right(3), optimize: "up" }, right(4)]);
      expect(results.map(({ error }) => error?.message ?? null)).toEqual([
        expect.stringMatching(/^\[0\]: is required/),
        null,
        expect.stringContaining(`the inference '${unknown.id}' does not exist`),
        null,
        expect.stringMatching(/^\[4\]\.optimize: must be one of/),
        null,
      ]);
      const ids = results.map(({ feedback_ids }) => feedback_ids?.["value"] ?? "");
      const stored = await readStored(ids.filter((id) => id !== ""));
      expect(ids.map((id) => stored.get(id)?.value)).toEqual([undefined, 1, undefined, 2, undefined, 4]);
    });

    it("takes 1,000 events at once", async () => {
      const events = Array.from({ length: 1000 }, (_, value) => ({
        id: inferenceId,
        feedback: { value, even: value % 2 === 0 },
      }));
      const results = await give(events);
      const ids = results.map(({ feedback_ids }) => feedback_ids?.["value"] ?? "");
      const stored = await readStored(ids);
      expect(ids.map((id) => stored.get(id)?.value)).toEqual(events.map(({ feedback }) => feedback.value));
    });

    it("refuses more than 10,000 events", async () => {
      const response = await post(
        "/v1/feedback",
        `[${Array(10_001).fill(`{"id":"${inferenceId}","feedback":{}}`).join(",")}]`,
      );
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { param: "events", message: expect.stringContaining("10000") },
      });
    });

    it("takes an id in capital letters", async () => {
      const [result] = await give([{ id: inferenceId.toUpperCase(), feedback: { helpful: true } }]);
      await expectStored(Object.entries(result?.feedback_ids ?? {}), { helpful: { kind: "boolean", value: true } });
    });
  });

  describe("over RPC", () => {
    const right = RIGHT_EVENTS.filter(({ rpc: event }) => event !== undefined);
    it.each(right)("stores $what", async ({ rpc: event, stored }) => {
      const [outcome] = await giveOverRpc([{ ...event, inferenceId }]);
      if (outcome?.case !== "stored") throw new Error(JSON.stringify(outcome));
      await expectStored(
        outcome.value.ids.map(({ name, id }) => [name, id]),
        stored,
      );
    });

    const wrong = WRONG_EVENTS.filter(({ rpcMessage }) => rpcMessage !== undefined);
    it.each(wrong)("refuses $what, whole", async ({ rpc: event, rpcMessage = "" }) => {
      const before = await countEntries();
      const [outcome] = await giveOverRpc([{ ...event, inferenceId }]);
      expect(outcome).toMatchObject({
        case: "error",
        value: { code: Code.InvalidArgument, message: expect.stringContaining(rpcMessage) },
      });
      expect(await countEntries()).toBe(before);
    });

    it("answers in order", async () => {
      const event = { feedback: entries([["helpful", plain(true)]]) };
      const ids = ["", inferenceId, newId(), "x", inferenceId];
      const outcomes = await giveOverRpc(ids.map((id) => ({ ...event, inferenceId: id })));
      expect(outcomes.map((outcome) => outcome.case)).toEqual(["error", "stored", "error", "error", "stored"]);
    });

    it("tells of each failure as a call that fails so would", async () => {
      const id = newId();
      const [outcome] = await giveOverRpc([{ inferenceId: id, feedback: [] }]);
      if (outcome?.case !== "error") throw new Error(JSON.stringify(outcome));
      const { code, message, details } = outcome.value;
      const problem = `the inference '${id}' does not exist`;
      expect([code, message]).toEqual([Code.InvalidArgument, `inference_id: ${problem}`]);
      const unpack = <Desc extends DescMessage>(desc: Desc) =>
        details.map((any) => anyUnpack(any, desc)).find((found) => found !== undefined);
      expect(unpack(ErrorDetailSchema)).toMatchObject({
        reason: ErrorReason.INVALID_REQUEST,
        param: "inference_id",
        retryable: false,
      });
      expect(unpack(BadRequestSchema)?.fieldViolations).toMatchObject([
        { field: "inference_id", description: message },
      ]);
    });

    const headers = () => ({ headers: { authorization: `Bearer ${service.key}` } });

    it.each<[string, Pick<MessageInitShape<typeof CreateMetricRequestSchema>, "value">, StoredValue]>([
      ["boolean", { value: { case: "boolean", value: true } }, { kind: "boolean", value: true }],
      ["number", { value: { case: "number", value: 0.25 } }, { kind: "float", value: 0.25 }],
      ["note", { value: { case: "text", value: "fine" } }, { kind: "note", value: "fine" }],
    ])("stores one metric, a %s", async (name, value, stored) => {
      const { id } = await rpc.createMetric(
        { inferenceId, name, ...value, reason: "because", tags: { app: "chat" }, optimize: Optimize.MIN },
        headers(),
      );
      const wanted = { ...stored, tags: { app: "chat", reason: "because" }, optimize: "min" as const };
      await expectStored([[name, id]], { [name]: wanted });
    });

    it.each<[string, MessageInitShape<typeof CreateMetricRequestSchema>, string]>([
      ["an unknown inference", { inferenceId: "x", name: "a" }, "feedback.a: is not set"],
      ["no name", { value: { case: "boolean", value: true } }, "inference_id: is required"],
    ])("fails as a call where one metric is wrong: %s", async (_what, request, message) => {
      const thrown = await rpc.createMetric(request, headers()).catch((error: unknown) => ConnectError.from(error));
      expect(thrown).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringContaining(message) });
      if (thrown instanceof ConnectError) expect(thrown.findDetails(ErrorDetailSchema)).toHaveLength(1);
    });

    it("refuses a wrong key and too many events with a code", async () => {
      const codeOf = (call: Promise<unknown>) => call.then(String, (thrown: unknown) => ConnectError.from(thrown).code);
      const unknown = { headers: { authorization: `Bearer att_${"0".repeat(12)}_${"A".repeat(43)}` } };
      expect(await codeOf(rpc.createFeedback({ events: [] }, unknown))).toBe(Code.Unauthenticated);
      expect(await codeOf(giveOverRpc(Array(10_001).fill({ inferenceId })))).toBe(Code.InvalidArgument);
    });
  });

  it("does not show one project the inferences of another", async () => {
    const projectId = newId();
    const project = { id: projectId, name: `other-${projectId}`, createdAt: new Date() };
    await service.store.query().insertInto("Project").values(project).execute();
    const { key } = await createKey(service.store, { name: "other", projectId });
    const foreignId = await infer(key);
    const feedback = { helpful: true };
    const refusal = (id: string) => ({
      feedback_ids: null,
      error: { status_code: 400, message: `id: the inference '${id}' does not exist` },
    });
    expect(await give([{ id: foreignId, feedback }])).toEqual([refusal(foreignId)]);
    expect(await give([{ id: inferenceId, feedback }], key)).toEqual([refusal(inferenceId)]);
    const outcomes = await giveOverRpc([{ inferenceId: foreignId, feedback: entries([]) }]);
    expect(outcomes[0]).toMatchObject({ case: "error", value: { code: Code.InvalidArgument } });
    const [own] = await give([{ id: foreignId, feedback }], key);
    await service.flush();
    const row = await service.store.fork().findOneOrFail(FeedbackEntry, { id: own?.feedback_ids?.["helpful"] ?? "" });
    expect(row).toMatchObject({ inferenceId: foreignId, projectId });
    await waitUntil(() => readInference(service.store, foreignId));
    expect(await give([{ id: foreignId, feedback }])).toEqual([refusal(foreignId)]);
  });

  it("finds an inference whose stream is running", async () => {
    const body = { model: "attune/gpt-6-astra:sandbox-slow=100", input: "Hello", stream: true };
    const response = await post("/v1/responses", JSON.stringify(body));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? "";
    const id = /"id":"([0-9a-f-]{36})"/.exec(first)?.[1] ?? "";
    const [result] = await give([{ id, feedback: { early: true } }]);
    expect(result).toEqual({ feedback_ids: { early: expect.any(String) }, error: null });
    expect(await readInference(service.store, id)).toBeUndefined();
    let rest = "";
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value;
    expect(rest).toContain("event: response.completed");
    await waitUntil(() => readInference(service.store, id));
  });

  it("finds an inference that waits for the database, and later in the database", async () => {
    const run = (statement: string) => service.store.fork().execute(statement);
    await run("alter table inference rename to inference_away");
    let id: string;
    try {
      id = await infer();
      // Long enough for the first try to write it to have failed.
      await sleep(150);
      const [queued] = await give([{ id, feedback: { when: "queued" } }]);
      expect(queued).toEqual({ feedback_ids: { when: expect.any(String) }, error: null });
      const [unknown] = await give([{ id: newId(), feedback: {} }]);
      // A table that is missing is no outage: to try again would not help.
      expect(unknown?.error?.status_code).toBe(500);
    } finally {
      await run("alter table inference_away rename to inference");
    }
    await waitUntil(() => readInference(service.store, id));
    const [stored] = await give([{ id, feedback: { when: "stored" } }]);
    expect(stored).toEqual({ feedback_ids: { when: expect.any(String) }, error: null });
    await service.flush();
    const rows = await service.store.fork().find(FeedbackEntry, { inferenceId: id }, { orderBy: { id: "asc" } });
    expect(rows.map(({ textValue }) => textValue)).toEqual(["queued", "stored"]);
  });
});
