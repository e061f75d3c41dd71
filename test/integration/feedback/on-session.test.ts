import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FeedbackService } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { readInferenceWithFeedback } from "../../../src/store/read/read-inference.ts";
import { createKindsReader } from "../../../src/store/read/read-rated-names.ts";
import { bodyOf, PATH } from "../../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../../support/sdk-fixture.ts";
import { waitUntil } from "../../support/wait.ts";

/** CI judges an agent's run: one value for the session, right after its last call. */
let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
  fixture.script("chat", "text");
});

afterAll(() => fixture.close());

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/;

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { url, headers: own } = fixture.service;
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { ...own, ...headers },
    body: JSON.stringify(body),
  });
  return await answer.text();
}

/** Makes the calls of a session, and returns their ids. */
async function run(session: string, calls: number): Promise<string[]> {
  const ids: string[] = [];
  for (let call = 0; call < calls; call++) {
    const answer = await post(PATH.chat, bodyOf("chat", MODEL.chat), { "attune-session": session });
    ids.push(ID.exec(answer)?.[0] ?? "");
  }
  return ids;
}

async function feedbackOn(id: string) {
  const found = await readInferenceWithFeedback(fixture.service.store, DEFAULT_PROJECT.id, id);
  return found?.feedback.map(({ name, booleanValue, sessionId, inferenceId }) => {
    return { name, booleanValue, sessionId, inferenceId };
  });
}

describe("feedback on a session", () => {
  it("needs no array for a single event", async () => {
    await run("run-5", 1);
    const results = JSON.parse(await post("/v1/feedback", { session: "run-5", feedback: { passed: true } }));
    expect(results).toEqual([{ feedback_ids: { passed: expect.stringMatching(ID) }, error: null }]);
    const [refused] = JSON.parse(await post("/v1/feedback", { session: "run-5", feedbak: {} }));
    expect(refused.error.message).toContain("[0].feedbak: is not a member of a feedback event");
  });

  it("tells whoever sends the first value of another kind under a name", async () => {
    await run("run-6", 1);
    const send = async (feedback: object) => JSON.parse(await post("/v1/feedback", { session: "run-6", feedback }))[0];
    expect(await send({ helpful: true })).not.toHaveProperty("warnings");
    const warning =
      "feedback.helpful is a number, and earlier values of this name are true or false: each kind is a metric of its " +
      "own, so send one kind under a name";
    expect(await send({ helpful: 3 })).toMatchObject({ error: null, warnings: [warning] });
    expect(await send({ helpful: 4 })).not.toHaveProperty("warnings");
    const { url, headers, store } = fixture.service;
    await waitUntil(async () => (await createKindsReader(store)(DEFAULT_PROJECT.id, "helpful")).length === 2);
    const client = createClient(FeedbackService, createGrpcTransport({ baseUrl: url }));
    const [id = ""] = await run("run-6", 1);
    const told = await client.createMetric(
      { inferenceId: id, name: "helpful", value: { case: "text", value: "yes" } },
      { headers },
    );
    expect(told.warnings).toEqual([expect.stringContaining("is a text, and earlier values of this name are")]);
  });

  it("is stored once, on its latest call, and shown on each of them", async () => {
    const ids = await run("run-1", 3);
    const [result] = JSON.parse(await post("/v1/feedback", [{ session: "run-1", feedback: { passed: true } }]));
    expect(result).toEqual({ feedback_ids: { passed: expect.stringMatching(ID) }, error: null });
    await waitUntil(async () => (await feedbackOn(ids[2] ?? ""))?.length === 1);
    const entry = { name: "passed", booleanValue: true, sessionId: "run-1", inferenceId: ids[2] };
    for (const id of ids) expect(await feedbackOn(id)).toEqual([entry]);
    const { count } = await fixture.service.store
      .query()
      .selectFrom("FeedbackEntry")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("sessionId", "=", "run-1")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(1);
    const [later] = await run("run-1", 1);
    await fixture.service.store.query().selectFrom("Inference").select("id").execute();
    await waitUntil(async () => (await feedbackOn(later ?? "")) !== undefined);
    expect(await feedbackOn(later ?? "")).toEqual([]);
  });

  it("is refused by its own name where there is no such session, or an id beside it", async () => {
    const results = JSON.parse(
      await post("/v1/feedback", [
        { session: "run-none", feedback: { passed: true } },
        { session: "run-1", id: "x", feedback: { passed: true } },
        { session: 7, feedback: { passed: true } },
        { feedback: { passed: true } },
      ]),
    ) as { error: { message: string } }[];
    expect(results.map(({ error }) => error.message)).toEqual([
      "session: the session 'run-none' has no calls",
      "session: cannot be combined with the id of an inference: send one of the two",
      expect.stringContaining("[2].session"),
      expect.stringContaining("[3].id"),
    ]);
  });

  it("stays on the call that stands for the session, as long as it goes on", async () => {
    const [id] = await run("run-4", 1);
    await post("/v1/feedback", [{ session: "run-4", feedback: { passed: false } }]);
    const [later] = await run("run-4", 1);
    await waitUntil(async () => (await feedbackOn(later ?? "")) !== undefined);
    await post("/v1/feedback", [{ session: "run-4", feedback: { passed: true } }]);
    await waitUntil(async () => (await feedbackOn(later ?? ""))?.length === 1);
    expect((await feedbackOn(id ?? ""))?.map(({ inferenceId }) => inferenceId)).toEqual([id, id]);
  });

  it.each(["run\0", "run\ud800"])("is refused by its own name where no database can hold it: %j", async (session) => {
    const [result] = JSON.parse(await post("/v1/feedback", [{ session, feedback: { passed: true } }]));
    expect(result.error.message).toMatch(/^session: (must not hold the character U\+0000|holds half of a surrogate)/);
    const token = await post("/v1/feedback/tokens", { session });
    expect(JSON.parse(token)).toMatchObject({ error: { param: "session", type: "invalid_request_error" } });
  });

  it("is refused over RPC where no database can hold its session", async () => {
    const client = createClient(FeedbackService, createGrpcTransport({ baseUrl: fixture.service.url }));
    const feedback = [{ name: "passed", value: { case: "boolean" as const, value: false } }];
    const { results } = await client.createFeedback(
      { events: [{ sessionId: "run\0", feedback }] },
      { headers: { authorization: `Bearer ${fixture.service.key}` } },
    );
    expect(results[0]?.outcome.value).toMatchObject({
      message: "session_id: must not hold the character U+0000",
    });
  });

  it("is taken over gRPC", async () => {
    const ids = await run("run-2", 2);
    const client = createClient(FeedbackService, createGrpcTransport({ baseUrl: fixture.service.url }));
    const feedback = [{ name: "passed", value: { case: "boolean" as const, value: false } }];
    const { results } = await client.createFeedback(
      { events: [{ sessionId: "run-2", feedback }] },
      { headers: { authorization: `Bearer ${fixture.service.key}` } },
    );
    expect(results[0]?.outcome.case).toBe("stored");
    await waitUntil(async () => (await feedbackOn(ids[0] ?? ""))?.length === 1);
  });

  it("is sent by the command", async () => {
    const ids = await run("run-3", 2);
    vi.stubEnv("ATTUNE_KEY", fixture.service.key);
    vi.stubEnv("ATTUNE_URL", fixture.service.url);
    const values = ["passed=true", "tests=0.9"];
    const options = ["--session", "run-3", "--tag", "job=42", "--reason", "all green"];
    await createProgram().parseAsync(["feedback", ...values, ...options], { from: "user" });
    vi.unstubAllEnvs();
    await waitUntil(async () => (await feedbackOn(ids[0] ?? ""))?.length === 2);
  });
});
