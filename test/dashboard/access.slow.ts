import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dashboardRouter, listProcedures } from "../../src/dashboard/router.ts";
import {
  describeRefusal,
  findAccess,
  includesPermission,
  OPEN_PROCEDURES,
  PERMISSION_NAMES,
} from "../../src/vocabulary/permissions.ts";
import { ROLES, type Role } from "../../src/vocabulary/roles.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import type { Answer, Caller } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People } from "./people.ts";
import { PROCEDURE_INPUTS } from "./procedure-inputs.ts";

interface Procedure {
  readonly _def: { readonly type: "query" | "mutation" | "subscription" };
}

const PROCEDURES = dashboardRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;
const OF_PROJECTS = PERMISSION_NAMES.flatMap((permission) =>
  listProcedures(permission).map((path) => ({ path, permission, input: PROCEDURE_INPUTS[path] ?? {} })),
);
const SIGNED_IN = [...OF_PROJECTS.map(({ path }) => path), ...OPEN_PROCEDURES.user];

describe("the table of permissions", () => {
  it("closes texts to billing", () => {
    const texts = ["history.list", "history.request", "history.exportPlan", "sessions.read", "feedback.notes"];
    for (const path of texts) {
      const access = findAccess(path);
      expect([path, access]).toEqual([path, "requests.read"]);
    }
    expect(includesPermission("billing", "requests.read")).toBe(false);
    expect(includesPermission("billing", "figures.read")).toBe(true);
  });

  it("gives an owner everything, and no other role more than an owner", () => {
    for (const permission of PERMISSION_NAMES) expect(includesPermission("owner", permission)).toBe(true);
  });

  it("names the roles that a permission takes", () => {
    expect(describeRefusal("viewer", "playground.call")).toBe(
      "this requires the role owner, admin or developer; yours is viewer",
    );
    expect(describeRefusal("admin", "passwords.reset")).toBe("this requires the role owner; yours is admin");
  });
});

describe.each(ENGINES)("who may call what, on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  async function call(caller: Caller, path: string, input: unknown): Promise<Answer> {
    const { type } = PROCEDURES[path]?._def ?? {};
    return type === "query" ? await caller.query(path, input) : await caller.mutate(path, input);
  }

  const codeOf = ({ error }: Answer) => error?.data.code;

  it.each(SIGNED_IN)("%s: nobody who is not signed in", async (path) => {
    const answer = await call(people.nobody, path, { projectId: people.projectId, ...PROCEDURE_INPUTS[path] });
    expect([answer.status, codeOf(answer)]).toEqual([401, "UNAUTHORIZED"]);
    expect(answer.data).toBeUndefined();
  });

  it.each(OF_PROJECTS)("$path: no owner of another project", async ({ path, input }) => {
    const answer = await call(people.stranger, path, { projectId: people.projectId, ...input });
    expect([codeOf(answer), answer.error?.message]).toEqual(["NOT_FOUND", "there is no such project"]);
  });

  const PAIRS = OF_PROJECTS.flatMap((row) => ROLES.map((role) => ({ ...row, role })));

  it.each(PAIRS)("$path: as $role", async ({ path, permission, input, role }) => {
    // Who has left once is a stranger, and so is everybody in a project that was deleted.
    const isLast = path === "members.leave" || path === "projects.delete";
    const { byRole, projectId, projectName } = isLast ? await createPeople(service) : people;
    const named = path === "projects.delete" && { name: projectName };
    const answer = await call(byRole[role], path, { projectId, ...input, ...named });
    expect(answer.error?.message).not.toBe("there is no such project");
    if (includesPermission(role, permission)) {
      expect(["UNAUTHORIZED", "FORBIDDEN", "BAD_REQUEST", "INTERNAL_SERVER_ERROR"]).not.toContain(codeOf(answer));
    } else {
      expect([answer.status, codeOf(answer), answer.error?.message]).toEqual([
        403,
        "FORBIDDEN",
        describeRefusal(role, permission),
      ]);
    }
  });

  it.each(ROLES)("lets %s call from the playground only with the permission", async (role: Role) => {
    const address = `${service.url}/dashboard/api/playground/${people.projectId}/v1/models`;
    const { status } = await fetch(address, { headers: { cookie: people.byRole[role].cookie ?? "" } });
    expect(status).toBe(includesPermission(role, "playground.call") ? 200 : 403);
  });

  it.each(ROLES)("lets %s export requests only with the permission", async (role: Role) => {
    const input = encodeURIComponent(JSON.stringify({ projectId: people.projectId, filter: {} }));
    const address = `${service.url}/dashboard/api/export/history?input=${input}`;
    const answer = await fetch(address, { headers: { cookie: people.byRole[role].cookie ?? "" } });
    await answer.text();
    expect(answer.status).toBe(includesPermission(role, "requests.read") ? 200 : 403);
  });
});
