import { describe, expect, it, vi } from "vitest";
import { changeAlerts } from "../../src/store/alerts/write-alerts.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { waitUntil } from "../support/wait.ts";
import { complained, run, service, statusOf, useRemoteService } from "./remote.ts";

useRemoteService();

const idOf = (key: string) => key.split("_")[1] ?? "";

describe("commands with --url", () => {
  it("creates, changes, rotates, lists and revokes a key of a service that runs", async () => {
    const key = await run("keys", "create", "--name", "ci", "--rpm", "6", "--allow", "read:project");
    expect(complained).toBe("Save it: it isn't shown again.\n");
    const id = key.split("_")[1] ?? "";
    expect(await statusOf(key)).toBe(200);
    expect(
      await run("keys", "update", id, "--usd-day", "1.5", "--rpm", "none", "--expires", "1", "--allow", "none"),
    ).toBe(`key ${id}: usd-day=1.5`);
    const rotated = await run("keys", "rotate", key, "--overlap", "1");
    expect(rotated).toMatch(new RegExp(`^att_${id}_`));
    expect([await statusOf(key), await statusOf(rotated)]).toEqual([200, 200]);
    const rows = (await run("keys", "list")).split("\n").map((row) => row.split(/ {2,}/));
    const state = expect.stringMatching(/^active until/);
    expect(rows.at(-1)?.slice(0, 6)).toEqual([id, "ci", "-", "-", "usd-day=1.5", state]);
    expect(JSON.parse(await run("keys", "list", "--json")).data.at(-1)).toMatchObject({
      id,
      projectId: DEFAULT_PROJECT.id,
      name: "ci",
      limits: { usdPerDay: 1.5 },
      revokedAt: null,
    });
    expect(await run("keys", "revoke", id)).toBe(`revoked ${id} (ci)`);
  });

  it("takes no empty name for a key, which would stand for all of them", async () => {
    for (const command of ["revoke", "rotate", "pause"]) {
      await expect(run("keys", command, "")).rejects.toThrow("exit 1");
      expect(complained).toContain("give the name or the public id of a key");
    }
  });

  it("pauses and resumes a key of a service that runs", async () => {
    const key = await run("keys", "create", "--name", "spender");
    const stateOf = async () => (await run("keys", "list")).split("\n").find((row) => row.includes("spender"));
    expect(await run("keys", "pause", key)).toBe(`paused ${idOf(key)} (spender)`);
    expect([await statusOf(key), await stateOf()]).toEqual([403, expect.stringContaining("paused")]);
    expect(JSON.parse(await run("keys", "list", "--json")).data.at(-1)).toMatchObject({ paused: true });
    expect(await run("keys", "resume", idOf(key))).toBe(`resumed ${idOf(key)} (spender)`);
    expect([await statusOf(key), await stateOf()]).toEqual([200, expect.stringContaining("active")]);
  });

  it("creates, lists and revokes an admin key of a service that runs", async () => {
    const made = ["--name", "ci", "--allow", "keys:write", "usage:read", "--project", "default", "--expires", "1"];
    const key = await run("admin-keys", "create", ...made);
    expect(key).toMatch(/^attadmin_/);
    const row = (await run("admin-keys", "list")).split("\n").at(-1)?.split(/ {2,}/);
    const state = expect.stringMatching(/^active until/);
    expect(row?.slice(0, 5)).toEqual([idOf(key), "ci", "keys:write usage:read", "default", state]);
    expect(await run("admin-keys", "revoke", key)).toBe(`revoked ${idOf(key)} (ci)`);
    const { data } = JSON.parse(await run("admin-keys", "list", "--json"));
    expect(data.at(-1)).toMatchObject({ id: idOf(key), projectId: DEFAULT_PROJECT.id, revokedAt: expect.anything() });
    await expect(run("admin-keys", "revoke", "abcdefghijkl")).rejects.toThrow("exit 1");
    expect(complained).toContain("there is no admin key 'abcdefghijkl': 'attune admin-keys list' lists them");
  });

  it("sets, lists and takes away limits of a service that runs, and shows its usage", async () => {
    const projectId = await run("projects", "create", "search", "--usd-month", "100");
    expect(await run("projects", "update", "search", "--each", "end-user", "--usd-day", "1")).toBe(
      "each end user: usd-day=1",
    );
    expect(await run("end-users", "update", "ada", "--project", "search", "--usd-day", "2")).toBe(
      "end user ada: usd-day=2",
    );
    expect(await run("quotas", "set", "--tag", "team=search", "--rpm", "5")).toBe("tag team=search: rpm=5");
    const rows = (await run("quotas", "list")).split("\n").map((row) => row.split(/ {2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        ["search", "end user ada", "usd-day=2"],
        ["search", "project", "usd-month=100"],
        ["default", "tag team=search", "rpm=5"],
      ]),
    );
    expect(JSON.parse(await run("end-users", "list", "--json", "--project", "search"))).toEqual({
      data: [
        { kind: "endUser", projectId, name: "", limits: { usdPerDay: 1 } },
        { kind: "endUser", projectId, name: "ada", limits: { usdPerDay: 2 } },
      ],
    });
    expect(JSON.parse(await run("projects", "list", "--json"))).toMatchObject({
      data: [{ name: "default" }, { id: projectId, name: "search", limits: { usdPerMonth: 100 } }],
    });
    expect(await run("quotas", "clear", "--tag", "team=search")).toBe("tag team=search: no limits");
    expect(await run("quotas", "list", "--project", "default")).not.toContain("team=search");
    expect(JSON.parse(await run("usage", "--project", "search", "--json"))).toMatchObject({
      data: [],
      total: { calls: 0, cost_usd: null },
    });
    expect(JSON.parse(await run("usage", "--all-projects", "--json"))).toMatchObject({
      data: [],
      total: { calls: 0, latency_p50_ms: null },
    });
  });

  it("deletes a project of a service that runs, whose keys are refused at once, and restores it", async () => {
    const id = await run("projects", "create", "short-lived");
    const key = await run("keys", "create", "--project", "short-lived");
    expect(await statusOf(key)).toBe(200);
    await expect(run("projects", "delete", "short-lived")).rejects.toThrow("exit 1");
    expect(complained).toContain("give --yes");
    const printedLine = await run("projects", "delete", "short-lived", "--yes");
    expect(printedLine).toMatch(new RegExp(`^deleted short-lived: 'attune projects restore ${id}' undoes it until 2`));
    await waitUntil(async () => (await statusOf(key)) === 401);
    const rows = (await run("projects", "list", "--deleted")).split("\n").map((row) => row.split(/ {2,}/));
    expect(rows[1]).toEqual([id, "short-lived", expect.stringMatching(/^2/), "cli", "waiting", "0"]);
    expect(JSON.parse(await run("projects", "list", "--deleted", "--json"))).toMatchObject({
      data: [{ projectId: id, state: "waiting", endedAt: null, feedback: 0 }],
    });
    expect(await run("projects", "list")).not.toContain("short-lived");
    expect(await run("projects", "restore", "short-lived")).toBe("restored short-lived");
    await waitUntil(async () => (await statusOf(key)) === 200);
  });

  it("shows and changes rules and destinations of alerts of a service that runs, and tests them", async () => {
    expect(await run("alerts", "set-rule", "slow", "--kind", "latency", "--threshold", "30", "--window", "5")).toBe(
      "rule slow: from 30",
    );
    const rules = (await run("alerts", "rules")).split("\n").map((row) => row.split(/ {2,}/));
    expect(rules).toContainEqual(["error-rate", "error-rate", "0.2", "15 min", "20", "configuration", "on"]);
    expect(rules).toContainEqual(["slow", "latency", "30", "5 min", "20", "project", "on"]);
    expect(await run("alerts", "remove-rule", "slow")).toBe("removed the rule slow");
    const secret = await run("alerts", "add-destination", "ops", "--webhook", "https://1.1.1.1/a-secret");
    expect(secret).toMatch(/^whsec_/);
    expect(await run("alerts", "add-destination", "ops", "--webhook", "https://1.1.1.1/a-secret")).toBe("");
    const [, row] = (await run("alerts", "destinations")).split("\n").map((line) => line.split(/ {2,}/));
    expect(row?.slice(1)).toEqual(["ops", "webhook", "1.1.1.1"]);
    expect(await run("alerts", "remove-destination", row?.[0] ?? "")).toBe(`removed ${row?.[0]}`);
    const condition = { projectId: DEFAULT_PROJECT.id, rule: "drift", kind: "drift", subject: "m", value: 1 } as const;
    const opened = [{ ...condition, summary: "the workload m has drifted", threshold: 1 }];
    await changeAlerts(service.store, { opened, seen: [], closed: [] });
    const listed = (await run("alerts", "list", "--open", "--project", "default")).split("\n");
    expect(listed.at(1)?.split(/ {2,}/).slice(1)).toEqual([
      ...["open", "default", "drift", "Drift: the workload m has drifted"],
    ]);
    expect(JSON.parse(await run("alerts", "list", "--json"))).toMatchObject({
      data: [{ rule: "drift", closedAt: null }],
    });
  });

  it("prints and exports the audit log of a service that runs", async () => {
    await run("projects", "create", "audited", "--rpm", "5");
    const rows = (await run("audit-log", "--project", "audited")).split("\n").map((row) => row.split(/ {2,}/).slice(1));
    expect(rows[1]).toEqual(["cli", "127.0.0.1", "projects.create", "audited", "project audited", expect.any(String)]);
    await run("projects", "update", "audited", "--rpm", "6");
    const lines = (await run("audit-log", "--json", "--project", "audited"))
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ action }) => action)).toEqual(["projects.create", "quotas.set"]);
    expect(lines[1]).toMatchObject({
      actor: { kind: "admin-key", label: "cli" },
      via: "rpc",
      after: expect.any(Object),
    });
    expect((await run("audit-log", "--limit", "1")).split("\n")).toHaveLength(2);
    await expect(run("audit-log", "--verify")).rejects.toThrow("exit 1");
    expect(complained).toContain("run it where the database is, without --url");
  });

  it("sets what holds for workloads of a service that runs, and lists them", async () => {
    const model = ["--model", "gpt-6-astra"];
    expect(await run("workloads", "mode", "observe", ...model)).toBe(
      "gpt-6-astra in the default project: mode observe",
    );
    await run("workloads", "set", "--objective", "cost", "--shadow", "0.1", ...model);
    await run("workloads", "pin", "claude-haiku-5-5", ...model);
    await run("workloads", "exclude", "claude-fable-5-2", "--project", "default");
    const rows = service.store.query().selectFrom("WorkloadControl").selectAll();
    expect(await rows.where("model", "=", "gpt-6-astra").executeTakeFirst()).toMatchObject({
      mode: "observe",
      objective: "cost",
      shadowShare: 0.1,
      hold: "pinned",
      pinned: "claude-haiku-5-5",
    });
    expect(await rows.where("model", "=", "").executeTakeFirst()).toMatchObject({ excluded: ["claude-fable-5-2"] });
    await run("workloads", "free", ...model);
    expect(await rows.where("model", "=", "gpt-6-astra").executeTakeFirst()).toMatchObject({
      hold: "free",
      pinned: null,
    });
    await run("workloads", "exclude");
    expect(await rows.where("model", "=", "").executeTakeFirst()).toMatchObject({ excluded: null });
    const state = { version: 1, updatedAt: new Date(0), rewards: 12, snapshot: null };
    const learned = { projectId: DEFAULT_PROJECT.id, model: "gpt-6-astra", ...state };
    await service.store.query().insertInto("LearnedState").values(learned).execute();
    const listed = (await run("workloads", "list")).split("\n").map((row) => row.split(/ {2,}/));
    expect(listed[1]).toEqual(["attune/gpt-6-astra", "observe", "no", "12", "1970-01-01T00:00:00.000Z"]);
    await run("workloads", "metric", "speed", "--weight", "0.5", ...model);
    expect(await run("workloads", "metric", "tokens", "--direction", "min", ...model)).toContain("tokens");
    const metricsOf = async () => (await rows.where("model", "=", "gpt-6-astra").executeTakeFirst())?.metrics;
    expect(await metricsOf()).toMatchObject([
      { name: "speed", weight: 0.5 },
      { name: "tokens", direction: "min" },
    ]);
    await run("workloads", "metric", "speed", ...model);
    expect(await metricsOf()).toMatchObject([{ name: "tokens" }]);
    expect(await run("workloads", "reset", "gpt-6-astra")).toBe("gpt-6-astra in the default project is reset");
    const [, left] = (await run("workloads", "list")).split("\n").map((row) => row.split(/ {2,}/));
    expect(left?.[3]).toBe("0");
  });

  it("shows a workload of a service that runs, its events, and learns it anew", async () => {
    await run("workloads", "mode", "observe", "--model", "gpt-6-astra");
    const shown = await run("workloads", "show", "gpt-6-astra");
    expect(shown).toMatch(/^mode: observe {3}held: no/);
    expect(shown).toContain("no learned state yet");
    expect(shown).toMatch(/Z {2}controlsChanged {2}/);
    expect(await run("workloads", "rebuild", "--project", "default")).toBe(
      "default: 0 workloads, learned from 0 events",
    );
    // Nothing is learned while one runs: a project that was rebuilt just now has to rest.
    await expect(run("workloads", "rebuild", "--project", "default")).rejects.toThrow("exit 1");
    expect(complained).toMatch(/ended a short while ago.*ask again after 2/);
    await expect(run("workloads", "cancel-rebuild")).resolves.toBe("");
    expect(complained).toContain("the default project: no rebuild waits or runs");
    await run("projects", "create", "rebuilt");
    expect(await run("workloads", "rebuild")).toContain("rebuilt: 0 workloads, learned from 0 events");
    expect(complained).toContain("default: project: the rebuild before ended a short while ago");
    expect(process.exitCode).toBe(1);
  });

  it("lists the accounts of a service that runs", async () => {
    expect(await run("users", "list")).toBe("E-MAIL  CREATED  PROJECTS");
    const account = newAccount("ada@example.com", "hash");
    await service.store.query().insertInto("UserAccount").values(account).execute();
    const membership = { user: account.id, project: DEFAULT_PROJECT.id, role: "viewer", createdAt: new Date() };
    await service.store.query().insertInto("Membership").values(membership).execute();
    expect(await run("users", "list")).toMatch(/\nada@example\.com {2}2\S+ {2}default \(viewer\)$/);
  });

  it("sets names for models and tags of keys, which calls get, and limits hold for", async () => {
    await run("projects", "create", "named");
    const settings = ["--alias", "fast=attune/claude-haiku-5-5", "--alias", "old=gpt-6-astra", "--bodies", "redacted"];
    await run("projects", "settings", "named", ...settings);
    await run("optimizations", "off", "coalescing", "--project", "named");
    expect((await run("projects", "settings", "named", "--alias", "old=")).split("\n")).toEqual([
      ...["project named", "bodies: redacted", "optimizations switched off: coalescing"],
      "aliases: fast=claude-haiku-5-5",
    ]);
    expect(await run("optimizations", "list", "--project", "named")).toMatch(/\ncoalescing {2,}off {2}/);
    await expect(run("projects", "settings", "named", "--alias", "gpt-6-astra=fast")).rejects.toThrow("exit 1");
    expect(complained).toContain("--alias: has 'gpt-6-astra', which is a name that the catalog has");
    const key = await run("keys", "create", "--project", "named", "--tag", "team=search", "--tag", "env=prod");
    const call = async (model: string, tags = "") => {
      const response = await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "attune-tags": `a=b${tags}` },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
      });
      return { status: response.status, body: (await response.json()) as { readonly model?: string } };
    };
    await waitUntil(async () => (await call("fast", ",team=other")).status === 200);
    expect((await call("old")).status).toBe(404);
    const models = await fetch(`${service.url}/v1/models/fast`, { headers: { authorization: `Bearer ${key}` } });
    expect(await models.json()).toMatchObject({ id: "attune/claude-haiku-5-5" });
    const read = () => service.store.query().selectFrom("Inference").selectAll().where("keyId", "=", idOf(key));
    await waitUntil(async () => (await read().execute()).length > 0);
    expect((await read().execute()).at(-1)).toMatchObject({
      model: "claude-haiku-5-5",
      tags: { a: "b", team: "search", env: "prod" },
    });
    await run("quotas", "set", "--project", "named", "--tag", "team=search", "--rpm", "0");
    await waitUntil(async () => (await call("fast")).status === 429);
    await run("keys", "update", idOf(key), "--tag", "none");
    await waitUntil(async () => (await call("fast")).status === 200);
  });

  it("exports the data of an end user of a service that runs, and deletes it", async () => {
    const call = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...service.headers, "attune-user": "grace" },
      body: JSON.stringify({ model: "gpt-6-astra", messages: [{ role: "user", content: "a secret of grace" }] }),
    });
    expect(call.status).toBe(200);
    let lines: readonly string[] = [];
    await waitUntil(async () => {
      lines = (await run("end-users", "export", "grace")).split("\n").filter((line) => line !== "");
      return lines.length > 1;
    });
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([["usage"], ["inference"]]);
    expect(lines[1]).toContain("a secret of grace");
    await expect(run("end-users", "delete", "grace")).rejects.toThrow("exit 1");
    const deleted = "1 inference, 0 feedback entries and 0 conversations of the end user grace";
    expect(await run("end-users", "delete", "grace", "--yes")).toContain(`deleted ${deleted}`);
    await run("end-users", "delete", "grace", "--yes");
    expect(complained).toContain("Nothing was recorded of grace: check the id.");
    expect(await run("end-users", "export", "grace")).toBe("");
    expect(complained).toContain("nothing is known of the end user grace in the default project");
    const entries = service.store.query().selectFrom("AuditEntry").selectAll().where("targetId", "=", "grace");
    expect((await entries.orderBy("sequence").execute()).map(({ action, actorKind }) => [action, actorKind])).toEqual(
      expect.arrayContaining([
        ["endUsers.export", "admin-key"],
        ["endUsers.requestDeletion", "admin-key"],
        ["endUsers.delete", "admin-key"],
      ]),
    );
  });

  it("finds a working key by its name, and refuses a name that several have", async () => {
    const key = await run("keys", "create", "--name", "By name");
    await run("projects", "create", "names");
    expect(await run("keys", "pause", "By name")).toBe(`paused ${idOf(key)} (By name)`);
    expect(await run("keys", "update", "By name", "--rpm", "6")).toBe(`key ${idOf(key)}: rpm=6`);
    expect(await run("quotas", "set", "--key", "By name", "--rpm", "7")).toContain(`${idOf(key)}: rpm=7`);
    expect(await run("keys", "rotate", "By name")).toMatch(new RegExp(`^att_${idOf(key)}_`));
    const other = await run("keys", "create", "--name", "By name", "--project", "names");
    await expect(run("keys", "revoke", "By name")).rejects.toThrow("exit 1");
    expect(complained).toContain("2 keys have the name 'By name': ");
    expect(await run("keys", "revoke", other)).toBe(`revoked ${idOf(other)} (By name)`);
    expect(await run("keys", "revoke", "By name")).toBe(`revoked ${idOf(key)} (By name)`);
    await expect(run("keys", "revoke", "By name")).rejects.toThrow("exit 1");
    expect(complained).toContain("there is no key 'By name': 'attune keys list' lists them");
  });

  it.each([
    [["workloads", "pin", "none-such"], "<answering>: isn't in the catalog"],
    [["keys", "rotate", "000000000000"], "there is no key '000000000000': 'attune keys list' lists them"],
    [["keys", "create", "--project", "none"], "there is no project 'none'"],
    [["keys", "create", "--name", "a\u202eb"], "--name: must not have control characters, nor characters that change"],
    [["keys", "create", "--name", "a".repeat(101)], "--name: must have 1 to 100 characters"],
    [["keys", "create", "--tag", "t=a\u0000"], "--tag: must not hold the character U+0000"],
    [["keys", "rotate", "000000000000", "--overlap", "1e20"], "--overlap: must be from 0s to 2592000s"],
    [["keys", "rotate", "000000000000", "--overlap", "721"], "--overlap: must be from 0s to 2592000s"],
    [["quotas", "set", "--tag", "team", "--rpm", "1"], "--tag: must be a name and a value, such as team=search"],
    [["quotas", "set", "--tag", "=search", "--rpm", "1"], "--tag: must have a name of 1 to 64 characters"],
    [["quotas", "clear", "--end-user", "x".repeat(257)], "--end-user: must have 1 to 256 characters"],
    [["end-users", "delete", "x".repeat(257), "--yes"], "<id>: must have 1 to 256 characters"],
    [["improve", "gpt-6-astra", "--usd", "1", "--calls", "1001"], "--calls: must be from 1 to 1000"],
    [["improve", "gpt-6-astra", "--usd", "-1"], "--usd: must be from 0 to "],
    [["workloads", "set", "--judge", "none-such"], "--judge: isn't in the catalog"],
    [["keys", "create", "--name", "test"], "there is a key 'test' already: 'attune keys rotate "],
    [
      ["keys", "update", "000000000000"],
      "there is nothing to change: give a limit, such as --rpm 60, or another option",
    ],
    [["keys", "create", "--models", "none-such"], "--models: names 'none-such', which isn't in the catalog"],
    [["projects", "create", " "], "<name>: must have 1 to 100 characters"],
    [["projects", "create", "default"], "there is a project 'default' already"],
    [["projects", "create", "new", "--owner", "a@b.example"], "there is no account 'a@b.example': 'attune users list'"],
    [["projects", "update", "none", "--rpm", "1"], "there is no project 'none'"],
    [["projects", "delete", "none", "--yes"], "there is no project 'none'"],
    [["projects", "delete", "default", "--yes"], "<project>: is the default project, which cannot be deleted"],
    [["alerts", "rules", "--project", "none"], "there is no project 'none'"],
    [["alerts", "set-rule", "x", "--threshold", "1"], "--kind: must be error-rate, latency, budget"],
    [
      ["alerts", "set-rule", "drift", "--kind", "budget", "--threshold", "1"],
      "--kind: must be drift, as of the rule of this name",
    ],
    [["alerts", "set-rule", "latency", "--threshold", "1", "--window", "61"], "--window: must be 60 at most"],
    [["alerts", "add-destination", "x", "--slack", "http://127.0.0.1/"], "--slack: 127.0.0.1 is not an"],
    [["alerts", "add-destination", "x", "--email", "a@b.example"], "destination.kind: cannot be email"],
    [["alerts", "add-destination", "x"], "give one of --webhook, --slack and --email"],
    [["alerts", "test"], "the project has none"],
    [["projects", "restore", "none"], "<project>: there is no such deletion that can be undone"],
    [["quotas", "set", "--key", "nobody", "--rpm", "1"], "there is no key 'nobody': 'attune keys list' lists them"],
    [["usage", "--project", "none"], "there is no project 'none'"],
  ])("ends %j with the reason", async (args, reason) => {
    await expect(run(...args)).rejects.toThrow("exit 1");
    expect(complained).toContain(`attune: ${reason}`);
  });

  it("asks for an admin key", async () => {
    vi.stubEnv("ATTUNE_ADMIN_KEY", "");
    await expect(run("keys", "list")).rejects.toThrow("exit 1");
    expect(complained).toContain("set ATTUNE_ADMIN_KEY to an admin key");
    vi.stubEnv("ATTUNE_ADMIN_KEY", service.key);
    await expect(run("keys", "list")).rejects.toThrow("exit 1");
    expect(complained).toContain("attune: this isn't an admin key: API keys call models");
  });
});
