import { describe, expect, it } from "vitest";
import type { DashboardContext } from "../../../src/dashboard/access/context.ts";
import { projectProcedure, publicProcedure, router, userProcedure } from "../../../src/dashboard/access/procedures.ts";
import { dashboardRouter, listProcedures } from "../../../src/dashboard/router.ts";
import { OPEN_PROCEDURES, PERMISSION_NAMES } from "../../../src/vocabulary/permissions.ts";

const projectId = "00000000-0000-7000-8000-000000000001";

/** A context of an owner of the project. */
function ownerContext(): DashboardContext {
  const store = { memberships: { findRole: async () => "owner" }, as: () => store };
  const session = async () => ({ sessionId: "s", userId: "u", email: "ada@example.com" });
  return { store, browser: { session, origin: {}, retryAfter() {} } } as unknown as DashboardContext;
}

describe("a procedure that no row of the permissions names", () => {
  const unlisted = router({
    ofEveryone: publicProcedure.query(() => "answered"),
    ofUsers: userProcedure.query(() => "answered"),
    ofProjects: projectProcedure.query(() => "answered"),
  });
  const caller = unlisted.createCaller(ownerContext());

  it("is refused to owners too", async () => {
    const refused = { code: "FORBIDDEN", message: "nobody may call this: no row of the permissions names it" };
    await expect(caller.ofEveryone()).rejects.toMatchObject(refused);
    await expect(caller.ofUsers()).rejects.toMatchObject(refused);
    await expect(caller.ofProjects({ projectId })).rejects.toMatchObject(refused);
  });
});

describe("a procedure that the permissions name", () => {
  it("answers only as the kind that they name", async () => {
    const listed = router({ "overview.names": projectProcedure.query(() => "answered") });
    expect(await listed.createCaller(ownerContext())["overview.names"]({ projectId })).toBe("answered");
    const other = router({ "overview.names": userProcedure.query(() => "answered") });
    await expect(other.createCaller(ownerContext())["overview.names"]()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("the procedures of the dashboard", () => {
  it("stand in one row each", () => {
    const listed = [...Object.values(OPEN_PROCEDURES).flat(), ...PERMISSION_NAMES.flatMap(listProcedures)];
    const procedures = Object.keys(dashboardRouter._def.procedures);
    expect(listed.toSorted(), "give each a row of src/vocabulary/permissions.ts").toEqual(procedures.toSorted());
  });
});
