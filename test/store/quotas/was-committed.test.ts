import { describe, expect, it } from "vitest";
import { wasCommitted } from "../../../src/store/quotas/was-committed.ts";
import { useDatabases } from "../../support/database.ts";

describe("wasCommitted()", () => {
  const databases = useDatabases("postgres");

  it("returns false for a transaction that the database has not come to: a standby took over without it", async () => {
    expect(await wasCommitted(databases.store, "1000000000")).toBe(false);
  });
});
