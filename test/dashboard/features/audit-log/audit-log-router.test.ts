import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabases } from "../../../support/database.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

// The entries are read on both engines by test/store/audit.
describe("the audit log of a project", () => {
  const databases = useDatabases("sqlite");
  let service: DashboardService;
  let people: People;
  let projectId: string;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
    ({ projectId } = people);
    for (const name of ["one", 'two, "quoted"']) await people.byRole.owner.mutate("keys.create", { projectId, name });
    await people.byRole.owner.mutate("projectSettings.setBodies", { projectId, bodies: "none" });
  });

  afterAll(() => service.close());

  const fetchExport = async (caller: Caller, path: string, input: object) =>
    await fetch(`${service.url}/dashboard/api/export/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { cookie: caller.cookie ?? "" },
    });

  it("is listed in pages, and filtered", async () => {
    const { owner } = people.byRole;
    const first = await owner.query("auditLog.list", { projectId, filter: {}, limit: 2 });
    const { entries, next } = first.data as { entries: { action: string }[]; next: number };
    expect(entries.map(({ action }) => action)).toEqual(["projectSettings.set", "keys.create"]);
    const second = await owner.query("auditLog.list", { projectId, filter: { action: "keys" }, cursor: next });
    expect(second.data).toMatchObject({ entries: [{ action: "keys.create", target: { name: "one" } }], next: null });
  });

  it("is exported as JSON lines and as CSV, to owners", async () => {
    const { owner, developer } = people.byRole;
    const input = { projectId, filter: { action: "keys" } };
    const lines = await fetchExport(owner, "audit-log", { ...input, format: "jsonl" });
    expect(lines.headers.get("content-disposition")).toMatch(/^attachment; filename="attune-audit-log-.*\.jsonl"$/);
    const entries = (await lines.text()).trimEnd().split("\n");
    expect(entries.map((line) => JSON.parse(line).target.name)).toEqual(["one", 'two, "quoted"']);
    const csv = await (await fetchExport(owner, "audit-log", { ...input, format: "csv" })).text();
    const [heading, one, two, end] = csv.split("\r\n");
    expect(heading).toBe(
      "sequence,at,actor_kind,actor_id,actor,via,address,request_id,project_id,action,target_kind,target_id,target," +
        "before,after,hash",
    );
    expect(one).toContain(`,${projectId},keys.create,key,`);
    expect([two?.includes('"two, ""quoted"""'), end]).toEqual([true, ""]);
    expect((await fetchExport(developer, "audit-log", { ...input, format: "csv" })).status).toBe(403);
    expect((await fetchExport(owner, "audit-log", { ...input, format: "xml" })).status).toBe(400);
  });

  it("names who exported the data of an end user", async () => {
    const { owner, developer } = people.byRole;
    const input = { projectId, endUserId: "ada" };
    expect((await fetchExport(developer, "end-user", input)).status).toBe(403);
    const answer = await fetchExport(owner, "end-user", input);
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    const { data } = await owner.query("auditLog.list", { projectId, filter: { action: "endUsers" } });
    expect(data).toMatchObject({
      entries: [{ action: "endUsers.export", actor: { label: expect.stringMatching(/@example\.com$/) } }],
    });
  });
});
