import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { wasCommitted } from "../../../src/store/quotas/was-committed.ts";
import { useDatabases } from "../../support/database.ts";

describe("wasCommitted()", () => {
  const databases = useDatabases("postgres");

  it("returns false for a transaction that the database has not come to: a standby took over without it", async () => {
    expect(await wasCommitted(databases.store, "1000000000")).toBe(false);
  });

  it("asks no longer than it may of a transaction that never ends", async () => {
    const { store } = databases;
    await store.transaction(async (tables) => {
      const id = sql<string>`pg_current_xact_id()::text`.as("id");
      const { rows } = await sql<{ id: string }>`select ${id}`.execute(tables);
      await expect(wasCommitted(store, rows[0]?.id ?? "", 0)).rejects.toThrow("is still in progress");
    });
  });
});
