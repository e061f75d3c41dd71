import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import { includesRole, ROLES, type Role } from "../../src/store/dashboard/roles.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { ACCESS_TABLE } from "./access-table.ts";
import type { Answer, Caller } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People } from "./people.ts";

interface Procedure {
  readonly _def: { readonly type: "query" | "mutation" | "subscription"; readonly meta?: { readonly access?: string } };
}

const PROCEDURES = dashboardRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;
const ROWS = Object.entries(ACCESS_TABLE).map(([path, row]) => ({ path, ...row }));
const OF_PROJECTS = ROWS.filter(({ access }) => access !== "public" && access !== "user");

describe("the table of procedures", () => {
  it("lists every procedure with the access that it has", () => {
    const actual = Object.entries(PROCEDURES).map(([path, { _def }]) => [path, _def.meta?.access]);
    expect(Object.fromEntries(actual)).toEqual(
      Object.fromEntries(Object.entries(ACCESS_TABLE).map(([path, { access }]) => [path, access])),
    );
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

  it.each(ROWS.filter(({ access }) => access !== "public"))("$path: nobody", async ({ path, input }) => {
    const answer = await call(people.nobody, path, { projectId: people.projectId, ...input });
    expect([answer.status, codeOf(answer)]).toEqual([401, "UNAUTHORIZED"]);
    expect(answer.data).toBeUndefined();
  });

  it.each(OF_PROJECTS)("$path: an owner of another project", async ({ path, input }) => {
    const answer = await call(people.stranger, path, { projectId: people.projectId, ...input });
    expect([codeOf(answer), answer.error?.message]).toEqual(["NOT_FOUND", "there is no such project"]);
  });

  const TOO_SMALL = OF_PROJECTS.flatMap((row) =>
    ROLES.filter((role) => !includesRole(role, row.access as Role)).map((role) => ({ ...row, role })),
  );

  it.each(TOO_SMALL)("$path: only a $role", async ({ path, input, role }) => {
    const answer = await call(people.byRole[role], path, { projectId: people.projectId, ...input });
    expect([answer.status, codeOf(answer)]).toEqual([403, "FORBIDDEN"]);
  });

  it.each(OF_PROJECTS)("$path: lets a $access in", async ({ path, input, access }) => {
    // Its own project each time: some of them change who belongs to it.
    const { byRole, projectId } = await createPeople(service);
    const answer = await call(byRole[access as Role], path, { projectId, ...input });
    expect(["UNAUTHORIZED", "FORBIDDEN", "BAD_REQUEST", "INTERNAL_SERVER_ERROR"]).not.toContain(codeOf(answer));
    expect(answer.error?.message).not.toBe("there is no such project");
  });
});
