import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { DatabaseBusyError } from "../../../src/lib/database-state.ts";
import { readRows, transact } from "../../../src/store/database/executor.ts";
import { changePartitions } from "../../../src/store/partitions/change-partitions.ts";
import { useDatabases } from "../../support/database.ts";

const CHANGE = { name: "drop inference_19990104", table: "inference" };
const LOCK = "lock table inference in access exclusive mode";

describe("changePartitions()", () => {
  const databases = useDatabases("postgres");

  /** Holds the table as a vacuum does, for a time. */
  async function hold(ms: number) {
    await transact(databases.store, async (execute) => {
      await execute("lock table inference in share update exclusive mode", []);
      await delay(ms);
    });
  }

  it("tries again where others hold the table for longer than a change may wait", async () => {
    const held = hold(3500);
    await delay(50);
    let tries = 0;
    const run = (execute: Parameters<Parameters<typeof transact>[1]>[0]) => {
      tries += 1;
      return execute(LOCK, []);
    };
    await changePartitions(databases.store, { ...CHANGE, run });
    await held;
    expect(tries).toBe(2);
  });

  it("tells who is in the way once it gives up, and changes nothing then", async () => {
    const aborted = AbortSignal.abort();
    const held = hold(3500);
    await delay(50);
    const run = (execute: Parameters<Parameters<typeof transact>[1]>[0]) => execute(LOCK, []);
    const failure = await changePartitions(databases.store, { ...CHANGE, run }, aborted).catch((error) => error);
    await held;
    expect(failure).toBeInstanceOf(DatabaseBusyError);
    expect(failure.message).toBe(
      "cannot drop inference_19990104: a vacuum, a backup or a long transaction holds inference; pg_locks shows which",
    );
    expect(await readRows(databases.store, "select 1 from inference", [])).toEqual([]);
  });
});
