import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { writeRefusals } from "../../../../src/store/refusals/write-refusals.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { refusedAt } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

describe.each(ENGINES)("refused calls in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });
  afterAll(() => service.close());

  it("are those of the project, and to owners those of none", async () => {
    const { byRole, projectId } = await createPeople(service);
    const at = new Date();
    const calls = [
      { reason: "bad_request", projectId, keyId: "own", message: "no messages" },
      { reason: "unknown_key", projectId: "", keyId: "", message: "not known" },
      { reason: "limit", projectId: newId(), keyId: "other", message: "of others" },
    ] as const;
    await writeRefusals(service.store, {
      counts: calls.map(({ message: _, ...call }) => ({ ...call, ...refusedAt(at.getTime()), calls: 2 })),
      samples: calls.map((call) => ({ ...call, id: newId(), at, call: "POST /v1/messages" })),
    });
    const own = { reason: "bad_request", keyId: "own" };
    const unknown = { reason: "unknown_key", keyId: "" };
    const seen = async (role: "viewer" | "owner") =>
      (await byRole[role].query("refusals.list", { projectId, range: "30d" })).data;
    expect(await seen("viewer")).toMatchObject({ counts: [{ ...own, calls: 2 }], calls: [own] });
    const ofOwner = (await seen("owner")) as { readonly counts: unknown; readonly calls: readonly unknown[] };
    expect(ofOwner.counts).toEqual([
      { ...own, calls: 2 },
      { ...unknown, calls: 2 },
    ]);
    expect(ofOwner.calls).toHaveLength(2);
  });
});
