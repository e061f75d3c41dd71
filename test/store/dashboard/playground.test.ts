import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createPlayground } from "../../../src/store/dashboard/playground.ts";
import { transact } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

/** Long enough for all to come to the barrier. */
const WHILE_MS = 30;
const ROUNDS = 20;
const BARRIER = 1;

describe.each(ENGINES)("createPlayground() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Has all who insert a key on PostgreSQL begin in the same moment: when nobody holds the barrier any more. */
  async function makeBarrier() {
    if (engine === "sqlite") return;
    const wait = `create function wait() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${BARRIER}); return new; end'`;
    const trigger = "create trigger wait before insert on api_key for each row execute function wait()";
    await transact(databases.store, async (execute) => {
      for (const sql of [wait, trigger]) await execute(sql, []);
    });
  }

  it("makes one key for a person who calls for the first time on several replicas at once", async () => {
    await makeBarrier();
    const other = await openStore(databases.url);
    for (let round = 0; round < ROUNDS; round++) {
      const user = { projectId: DEFAULT_PROJECT.id, userId: newId(), email: "someone@example.com" };
      const keyOf = (index: number) =>
        createPlayground(index % 2 === 0 ? databases.store : other, Date.now).findOrCreateKey(user);
      const calling = await transact(databases.store, async (execute) => {
        if (engine === "postgres") await execute("select pg_advisory_xact_lock($1)", [BARRIER]);
        const all = Promise.all(Array.from({ length: 12 }, (_, index) => keyOf(index)));
        await delay(WHILE_MS);
        return { all };
      });
      const [keyId, ...others] = new Set((await calling.all).map((key) => key.keyId));
      expect(others).toEqual([]);
      const entries = databases.store.query().selectFrom("AuditEntry").select(["action", "actorLabel"]);
      expect(await entries.where("targetId", "=", keyId ?? "").execute()).toEqual([
        { action: "keys.create", actorLabel: user.email },
      ]);
    }
    await other.close();
  });
});
