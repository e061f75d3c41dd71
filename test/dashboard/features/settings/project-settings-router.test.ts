import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../../../src/store/keys/key-repository.ts";
import { writeSettings } from "../../../../src/store/settings/write-settings.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { readWhenWritten } from "../../../support/read-when-written.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const SECRET = "My name is Regula";

describe.each(ENGINES)("what a project keeps, on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  async function begin(bodies: "full" | "redacted" | "none") {
    const { projectId, byRole } = await createPeople(service);
    const { key } = await createKey(service.store, { projectId, name: "test" });
    const read = async () => (await byRole.viewer.query("projectSettings.read", { projectId })).data;
    expect(await read()).toEqual({ bodies: "full", optimizationsOff: [], aliases: {}, updatedAt: null });
    const { error } = await byRole.owner.mutate("projectSettings.setBodies", { projectId, bodies });
    expect(error).toBeUndefined();
    const updatedAt = bodies === "full" ? null : expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await read()).toMatchObject({ bodies, updatedAt });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const respond = async (more: object = {}) => {
      const body = JSON.stringify({ model: "attune/gpt-6-astra", input: SECRET, ...more });
      const answer = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body });
      return (await answer.json()) as { id: string; error?: { message: string; code: string } };
    };
    const get = async (path: string, method = "GET") => {
      const answer = await fetch(`${service.url}/v1/responses/${path}`, { method, headers });
      const { error } = (await answer.json()) as { error?: { message: string } };
      return [answer.status, error?.message];
    };
    const stored = async (id: string) => await readWhenWritten(service.store, id.replace(/^resp_/, ""));
    return { respond, get, stored, projectId };
  }

  const because = "this project doesn't store texts of requests and answers, so none can be read or continued by id";

  it.each(["redacted", "none"] as const)(
    "%s: nothing can be read or continued, and the error says why",
    async (bodies) => {
      const { respond, get } = await begin(bodies);
      const { id } = await respond();
      const reason = `no stored response has the id '${id}': ${because}`;
      expect(await get(id)).toEqual([404, reason]);
      expect(await get(`${id}/input_items`)).toEqual([404, reason]);
      expect(await get(id, "DELETE")).toEqual([404, reason]);
      const { error } = await respond({ previous_response_id: id });
      expect(error?.message).toBe(`previous_response_id: ${reason}: leave it out, and send the whole conversation`);
    },
  );

  it("redacted: keeps the form of what was said, and no text", async () => {
    const { respond, stored } = await begin("redacted");
    const { row, content } = await stored((await respond()).id);
    expect([row.stored, row.status, row.model]).toEqual([false, "completed", "gpt-6-astra"]);
    expect(content?.input.messages.map(({ content: [block] }) => block?.kind.value)).toMatchObject([
      { text: "[redacted: 17 characters]" },
    ]);
    expect(JSON.stringify(content, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "Regula",
    );
  });

  it("none: keeps the facts alone", async () => {
    const { respond, stored } = await begin("none");
    const { row, content } = await stored((await respond()).id);
    expect([row.stored, row.status, row.inputTokens, content]).toEqual([false, "completed", 5, undefined]);
  });

  it("is not changed by what is set of optimisations, which takes what there is and nothing else", async () => {
    const { projectId, byRole } = await createPeople(service);
    const setOff = async (...off: string[]) =>
      (await byRole.owner.mutate("projectSettings.setOptimizations", { projectId, off })).error;
    await byRole.owner.mutate("projectSettings.setBodies", { projectId, bodies: "redacted" });
    expect(await setOff("hedging", "choice", "hedging")).toBeUndefined();
    expect(await setOff("everything")).toBeDefined();
    const { data } = await byRole.viewer.query("projectSettings.read", { projectId });
    expect(data).toMatchObject({ bodies: "redacted", optimizationsOff: ["choice", "hedging"] });
  });

  describe("names for models", () => {
    const begin = async () => {
      const { byRole, projectId } = await createPeople(service);
      const aliases = async () =>
        ((await byRole.viewer.query("projectSettings.read", { projectId })).data as { aliases: object }).aliases;
      const change = async (path: "setAlias" | "removeAlias", input: object) =>
        (await byRole.owner.mutate(`projectSettings.${path}`, { projectId, ...input })).error?.message;
      return { aliases, change, projectId };
    };

    it("are set by the model's name, id or alias, and removed", async () => {
      const { aliases, change, projectId } = await begin();
      const { key } = await createKey(service.store, { projectId, name: "test" });
      expect(await change("setAlias", { name: " fast ", model: "attune/gpt-6-astra" })).toBeUndefined();
      expect(await change("setAlias", { name: "toString", model: "gpt-6-astra" })).toBeUndefined();
      expect(await aliases()).toEqual({ fast: "gpt-6-astra", toString: "gpt-6-astra" });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ model: "fast", input: "Hello" });
      const answer = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body });
      expect([answer.status, ((await answer.json()) as { model: string }).model]).toEqual([200, "fast"]);
      expect(await change("removeAlias", { name: "toString" })).toBeUndefined();
      expect(await change("removeAlias", { name: "constructor" })).toBe("name: there is no such alias");
      expect(await aliases()).toEqual({ fast: "gpt-6-astra" });
    });

    it.each([
      [{ name: "no fast", model: "gpt-6-astra" }, /^name: has 'no fast', which must be a name of at most 200 letters/],
      [
        { name: "claude-haiku-5-5", model: "gpt-6-astra" },
        /^name: has 'claude-haiku-5-5', which is a name that the catalog has for/,
      ],
      [{ name: "fast", model: "no-such" }, /^model: isn't in the catalog/],
    ])("refuse %j, and say which of the two is wrong", async (input, message) => {
      const { aliases, change } = await begin();
      expect(await change("setAlias", input)).toMatch(message);
      expect(await aliases()).toEqual({});
    });

    it("are a thousand at most, and none is lost of those that are set at once", async () => {
      const { aliases, change, projectId } = await begin();
      const known = Array.from({ length: 998 }, (_, at) => [`known-${at}`, "gpt-6-astra"]);
      await writeSettings(service.store, projectId, { aliases: Object.fromEntries(known) });
      // Who waits five seconds for the others, as on a busy machine, is told to try again.
      const setAlias = async (name: string): Promise<string | undefined> => {
        const refusal = await change("setAlias", { name, model: "gpt-6-astra" });
        return refusal?.endsWith("try again shortly") === true ? await setAlias(name) : refusal;
      };
      const changes = ["a", "b", "c", "d"].map(setAlias);
      const refused = (await Promise.all(changes)).filter((message) => message !== undefined);
      expect(refused).toEqual(Array(2).fill("name: map must be at most 1000 entries"));
      expect(Object.keys(await aliases())).toHaveLength(1000);
    });

    it("stay as they are where their model is gone, whatever is changed of others", async () => {
      const { aliases, change, projectId } = await begin();
      await writeSettings(service.store, projectId, { aliases: { gone: "no-such", old: "gpt-6-astra" } });
      expect(await change("setAlias", { name: "fast", model: "gpt-6-astra" })).toBeUndefined();
      expect(await change("removeAlias", { name: "old" })).toBeUndefined();
      expect(await aliases()).toEqual({ gone: "no-such", fast: "gpt-6-astra" });
    });

    it("leave no entry in the audit log where nothing changes", async () => {
      const { change, projectId } = await begin();
      for (let turn = 0; turn < 2; turn++) await change("setAlias", { name: "fast", model: "gpt-6-astra" });
      const entries = await service.store
        .query()
        .selectFrom("AuditEntry")
        .select(["action", "after"])
        .where("projectId", "=", projectId)
        .where("action", "=", "projectSettings.set")
        .execute();
      expect(entries).toHaveLength(1);
      expect(JSON.stringify(entries)).toContain("fast");
    });
  });

  it("full: keeps all, and says nothing of settings where an id is wrong", async () => {
    const { respond, get, stored } = await begin("full");
    const { id } = await respond();
    expect((await stored(id)).content?.input.messages.length).toBe(1);
    expect((await get(id))[0]).toBe(200);
    expect(await get("nothing")).toEqual([
      404,
      "no stored response has the id 'nothing': it was never made, failed, was deleted, or was not to be stored",
    ]);
  });
});
