import { describe, expect, it } from "vitest";
import { PROCESS_ORIGIN } from "../../../src/hub/change-origin.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("unitOfWork() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("has projects take turns where changes wait, however many one of them makes", async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const change = (queueOwner: string) =>
      databases.store.as({ ...PROCESS_ORIGIN, queueOwner }).unitOfWork(async () => {
        begun.push(queueOwner);
        await gate.promise;
      });
    const flood = Array.from({ length: 20 }, () => change("flooding"));
    const others = ["quiet", "other", "quiet"].map(change);
    gate.resolve();
    await Promise.all([...flood, ...others]);
    // Those that run already come first, and from then on one of each.
    expect(begun.lastIndexOf("quiet")).toBeLessThan(12);
    expect(begun.indexOf("other")).toBeLessThan(9);
  });

  it("has actors without a project take turns too", async () => {
    const begun: string[] = [];
    const change = (id: string) =>
      databases.store
        .as({ actor: { kind: "admin-key", id, label: id }, via: "rpc" })
        .unitOfWork(async () => void begun.push(id));
    await Promise.all([...Array.from({ length: 20 }, () => change("flooding")), change("quiet")]);
    expect(begun.indexOf("quiet")).toBeLessThan(9);
  });
});
