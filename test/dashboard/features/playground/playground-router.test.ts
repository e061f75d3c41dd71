import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isKey } from "../../../../src/store/keys/key-format.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { readWhenWritten } from "../../../support/read-when-written.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

interface Row {
  readonly publicId: string;
  readonly name: string;
  readonly state: string;
}

const HELLO = { model: "attune/claude-haiku-5-5", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] };

describe.each(ENGINES)("the playground on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  interface Ask {
    readonly caller: Caller;
    readonly path?: string;
    readonly projectId?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  }

  async function ask(body: unknown, { caller, path = "messages", projectId, headers, signal }: Ask): Promise<Response> {
    return await fetch(`${service.url}/dashboard/api/playground/${projectId ?? people.projectId}/v1/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: service.url,
        cookie: caller.cookie ?? "",
        ...headers,
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { message: string } };
    return [response.status, error.message];
  };
  const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
  const userOf = async (caller: Caller) => {
    const { user } = (await caller.query("session.current")).data as { user: { id: string; email: string } };
    return user;
  };
  const keysOf = async (people: People) =>
    ((await people.byRole.viewer.query("keys.list", { projectId: people.projectId })).data as { keys: Row[] }).keys;

  it("calls the public API in the name of a key of the person, which is made once and cannot be used from outside", async () => {
    const own = await createPeople(service);
    const [first, second] = await Promise.all([
      ask(HELLO, { caller: own.byRole.developer, projectId: own.projectId }),
      ask(HELLO, { caller: own.byRole.developer, projectId: own.projectId }),
    ]);
    expect([first.status, second.status, first.headers.get("attune-served-by")]).toEqual([200, 200, "sandbox"]);
    const id = await idOf(first);
    const { row } = await readWhenWritten(service.store, id);
    const keys = await keysOf(own);
    const { email } = await userOf(own.byRole.developer);
    expect(keys).toEqual([expect.objectContaining({ publicId: row.keyId, name: `Playground: ${email}` })]);
    expect([row.projectId, row.dialect, row.keyId]).toEqual([
      own.projectId,
      "messages",
      expect.stringMatching(/^play/),
    ]);
    expect(isKey(`att_${row.keyId}_${"0".repeat(43)}`)).toBe(true);
    await ask(HELLO, { caller: own.byRole.owner, projectId: own.projectId });
    expect((await keysOf(own)).map(({ name }) => name.startsWith("Playground: "))).toEqual([true, true]);
  });

  it("streams as it comes, and ends when the caller leaves", async () => {
    const slow = { ...HELLO, model: "attune/claude-haiku-5-5:sandbox-slow=50", stream: true, max_tokens: 1000 };
    const whole = await ask({ ...HELLO, stream: true }, { caller: people.byRole.developer });
    expect(whole.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const text = await whole.text();
    expect(text).toContain("event: message_start\n");
    expect(text.trimEnd().endsWith('data: {"type":"message_stop"}')).toBe(true);
    const leaving = new AbortController();
    const left = await ask(slow, { caller: people.byRole.developer, signal: leaving.signal });
    const reader = left.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const id = /"id":"([0-9a-f-]{36})"/.exec(first)?.[1] ?? "";
    leaving.abort();
    const { row } = await readWhenWritten(service.store, id);
    expect([row.status, row.streamed]).toEqual(["canceled", true]);
  });

  it("tells what is recorded of a call, to the project alone", async () => {
    const id = await idOf(await ask(HELLO, { caller: people.byRole.developer }));
    const { row } = await readWhenWritten(service.store, id);
    const read = (caller: Caller, projectId: string) =>
      caller.query("playground.facts", { projectId, inferenceId: id });
    expect((await read(people.byRole.viewer, people.projectId)).data).toEqual({
      id,
      status: "completed",
      upstream: "sandbox",
      upstreamModel: row.upstreamModel,
      translationLosses: [],
      latencyMs: row.latencyMs,
      timeToFirstTokenMs: row.timeToFirstTokenMs,
      costNanos: row.costNanos,
      usageEstimated: false,
    });
    expect(row.costNanos).toBeGreaterThan(0);
    const other = await createPeople(service);
    expect((await read(other.byRole.owner, other.projectId)).data).toBeNull();
  });

  it("takes feedback on a call", async () => {
    const id = await idOf(await ask(HELLO, { caller: people.byRole.developer }));
    const answer = await ask([{ id, feedback: { helpful: false, comment: "too short" } }], {
      caller: people.byRole.developer,
      path: "feedback",
    });
    expect(await answer.json()).toEqual([
      { feedback_ids: { helpful: expect.any(String), comment: expect.any(String) }, error: null },
    ]);
  });

  it("shows the errors of the format", async () => {
    const messages = await ask({ ...HELLO, max_tokens: "ten" }, { caller: people.byRole.developer });
    expect([messages.status, await messages.json()]).toMatchObject([
      400,
      { type: "error", error: { type: "invalid_request_error", message: expect.stringContaining("max_tokens") } },
    ]);
    const chat = await ask({ model: "no" }, { caller: people.byRole.developer, path: "chat/completions" });
    expect([chat.status, await chat.json()]).toMatchObject([400, { error: { param: "messages" } }]);
    const nowhere = await ask({}, { caller: people.byRole.developer, path: "nowhere" });
    expect(nowhere.status).toBe(404);
  });

  it("lets nobody else in", async () => {
    const { byRole, stranger, nobody } = people;
    expect(await errorOf(await ask(HELLO, { caller: nobody }))).toEqual([401, "you are not signed in"]);
    expect(await errorOf(await ask(HELLO, { caller: stranger }))).toEqual([404, "there is no such project"]);
    expect(await errorOf(await ask(HELLO, { caller: byRole.owner, projectId: "x" }))).toEqual([
      404,
      "there is no such project",
    ]);
    expect(await errorOf(await ask(HELLO, { caller: byRole.viewer }))).toEqual([
      403,
      "this requires the role owner, admin or developer; yours is viewer",
    ]);
    const forged = await ask(HELLO, { caller: byRole.owner, headers: { origin: "https://evil.example" } });
    expect(forged.status).toBe(403);
    const text = await ask(HELLO, { caller: byRole.owner, headers: { "content-type": "text/plain" } });
    expect(text.status).toBe(415);
  });

  it("calls as who is signed in, whatever key comes along", async () => {
    const key = (await people.byRole.owner.mutate("keys.create", { projectId: people.projectId, name: "other" })).data;
    const headers = { "x-api-key": (key as { key: string }).key, authorization: "Bearer nonsense" };
    const id = await idOf(await ask(HELLO, { caller: people.byRole.developer, headers }));
    expect((await readWhenWritten(service.store, id)).row.keyId).toMatch(/^play/);
  });

  it("ends with the revocation of the key, until an owner allows it again", async () => {
    const { byRole, projectId } = await createPeople(service);
    const call = () => ask(HELLO, { caller: byRole.developer, projectId });
    expect((await call()).status).toBe(200);
    const { keys } = (await byRole.owner.query("keys.list", { projectId })).data as { keys: { publicId: string }[] };
    const user = await userOf(byRole.developer);
    expect((await byRole.owner.query("playground.revoked", { projectId })).data).toEqual([]);
    await byRole.owner.mutate("keys.revoke", { projectId, publicId: keys[0]?.publicId });
    expect(await errorOf(await call())).toEqual([
      403,
      "your playground key was revoked: an owner of the project can allow it again",
    ]);
    const revoked = (await byRole.owner.query("playground.revoked", { projectId })).data;
    expect(revoked).toEqual([{ userId: user.id, email: user.email }]);
    expect((await byRole.owner.mutate("playground.allow", { projectId, userId: user.id })).status).toBe(200);
    expect((await byRole.owner.mutate("playground.allow", { projectId, userId: user.id })).status).toBe(404);
    expect((await call()).status).toBe(200);
  });
});
