import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeAlerts } from "../../../../src/store/alerts/write-alerts.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const RULE = { name: "error-rate", kind: "error-rate", threshold: 0.5, windowMinutes: 5, minCalls: 3, isEnabled: true };

describe.each(ENGINES)("alerts in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let receiver: Server;
  let url: string;
  const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];

  beforeAll(async () => {
    const configText = "alerts: { allowPrivateAddresses: true, rules: { latency: { threshold: 60 } } }";
    service = await startDashboardService({ databaseUrl: databases.url, configText });
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(received.length === 1 ? 500 : 200).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/a-secret-path`;
  });

  afterAll(async () => {
    receiver.close();
    await service.close();
  });

  it("have the rules of the configuration, and a project's own in their place", async () => {
    const { byRole, projectId } = await createPeople(service);
    const rules = async () =>
      ((await byRole.viewer.query("alerts.rules", { projectId })).data as { rules: readonly object[] }).rules;
    expect(await rules()).toContainEqual(expect.objectContaining({ name: "latency", threshold: 60, isOwn: false }));
    expect((await byRole.owner.mutate("alerts.setRule", { projectId, rule: RULE })).error).toBeUndefined();
    expect(await rules()).toContainEqual({ ...RULE, isOwn: true });
    expect((await rules()).filter((rule) => "name" in rule && rule.name === "error-rate")).toHaveLength(1);
    const wrong = { ...RULE, kind: "drift" };
    const { error } = await byRole.owner.mutate("alerts.setRule", { projectId, rule: wrong });
    expect(error).toMatchObject({
      message: "rule.kind: must be error-rate, as of the rule of this name",
      data: { code: "CONFLICT" },
    });
    const long = { ...RULE, windowMinutes: 61 };
    expect((await byRole.owner.mutate("alerts.setRule", { projectId, rule: long })).error).toMatchObject({
      data: { fields: { "rule.windowMinutes": "must be 60 at most" } },
    });
    await byRole.owner.mutate("alerts.removeRule", { projectId, name: "error-rate" });
    expect(await rules()).toContainEqual(expect.objectContaining({ name: "error-rate", threshold: 0.2, isOwn: false }));
  });

  it("are sent to destinations whose addresses are not told, and whose tests are signed", async () => {
    received.length = 0;
    const { byRole, projectId } = await createPeople(service);
    const destination = { name: "ops", kind: "webhook", target: url };
    const { data } = await byRole.owner.mutate("alerts.addDestination", { projectId, destination });
    const { id, secret } = data as { id: string; secret: string };
    const listed = await byRole.owner.query("alerts.destinations", { projectId });
    expect(listed.data).toEqual({
      destinations: [{ id, projectId, name: "ops", kind: "webhook", target: new URL(url).host }],
      hasMail: false,
      general: 0,
    });
    const test = async () => (await byRole.owner.mutate("alerts.testDestination", { projectId, id })).data;
    expect(await test()).toEqual({ isDelivered: false, problem: "the answer had the status 500" });
    expect(await test()).toEqual({ isDelivered: true, problem: null });
    const [, { headers, body } = { headers: {}, body: "" }] = received;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "alert.test" });
    expect((await byRole.owner.query("alerts.deliveries", { projectId })).data).toMatchObject([
      { type: "alert.test", state: "delivered", status: 200, destination: id },
      { type: "alert.test", state: "failed", status: 500, problem: "the answer had the status 500" },
    ]);
    const mail = { name: "mail", kind: "email", target: "ops@example.com" };
    expect((await byRole.owner.mutate("alerts.addDestination", { projectId, destination: mail })).error).toMatchObject({
      message: "destination.kind: cannot be email: alerts.smtp of attune.yaml names no server",
    });
    await byRole.owner.mutate("alerts.removeDestination", { projectId, id });
    expect((await byRole.owner.query("alerts.destinations", { projectId })).data).toMatchObject({ destinations: [] });
  });

  it("have destinations of different names, and rules with one of each name, however many add them at once", async () => {
    const { byRole, projectId } = await createPeople(service);
    const add = (at: number) =>
      byRole.owner.mutate("alerts.addDestination", {
        projectId,
        destination: { name: "ops", kind: "webhook", target: `${url}/${at}` },
      });
    const added = await Promise.all(Array.from({ length: 8 }, (_, at) => add(at)));
    expect(added.flatMap(({ error }) => error ?? []).map(({ message }) => message)).toEqual(
      Array(7).fill("destination.name: is of a destination with another kind or target: remove that one first"),
    );
    const { data } = await byRole.owner.query("alerts.destinations", { projectId });
    expect((data as { destinations: readonly object[] }).destinations).toHaveLength(1);
    const set = await Promise.all(
      Array.from({ length: 8 }, () => byRole.owner.mutate("alerts.setRule", { projectId, rule: RULE })),
    );
    expect(set.map(({ error }) => error)).toEqual(Array(8).fill(undefined));
  });

  it("are tested ten times within a minute, however many ask at once", async () => {
    received.length = 0;
    const { byRole, projectId } = await createPeople(service);
    const destination = { name: "ops", kind: "webhook", target: url };
    const { data } = await byRole.owner.mutate("alerts.addDestination", { projectId, destination });
    const { id } = data as { id: string };
    const tested = await Promise.all(
      Array.from({ length: 15 }, () => byRole.owner.mutate("alerts.testDestination", { projectId, id })),
    );
    expect(received).toHaveLength(10);
    const refused = tested.flatMap(({ error }) => error ?? []);
    expect(refused.map(({ message }) => message)).toEqual(
      Array(5).fill("the project has sent 10 tests within a minute, the maximum: wait a moment"),
    );
  });

  it("show what is open and what was, of the project and of the deployments that all use", async () => {
    const { byRole, projectId } = await createPeople(service);
    const other = await createPeople(service);
    const facts = { rule: "r", subject: "", value: 1, threshold: 1 };
    const opened = [
      { ...facts, projectId, kind: "drift", summary: "own" },
      { ...facts, projectId: other.projectId, kind: "drift", summary: "of another project" },
      { ...facts, projectId: "", kind: "deployment", subject: projectId, summary: "of all" },
      { ...facts, projectId: "", kind: "budget", subject: projectId, summary: "the operator's own affair" },
    ] as const;
    const changed = await changeAlerts(service.store, { opened, seen: [], closed: [] });
    const list = async () => (await byRole.viewer.query("alerts.list", { projectId })).data;
    expect(await list()).toMatchObject({
      open: [
        { summary: "of all", isOfAll: true, closedAt: null },
        { summary: "own", isOfAll: false },
      ],
      closed: [],
      next: null,
    });
    const closed = changed.opened.map(({ id }) => id);
    await changeAlerts(service.store, { opened: [], seen: [], closed });
    expect(await list()).toMatchObject({ open: [], closed: [{ summary: "of all" }, { summary: "own" }] });
  });
});
