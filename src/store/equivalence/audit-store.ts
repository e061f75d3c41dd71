import type { AuditKey, AuditState } from "../../learning/equivalence/audit-state.ts";
import type { AuditChange, AuditStore } from "../../learning/equivalence/ports.ts";
import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";

/** Creates where the states of audited deployments are kept. */
export function createAuditStore(store: Store): AuditStore {
  return {
    async readAll() {
      const rows = await store.query().selectFrom("DeploymentAudit").select("state").execute();
      return rows.map(({ state }) => JSON.parse(state) as AuditState);
    },
    async change(key, change, action) {
      // Whoever comes second to the first insert finds the row there, and waits for it: nothing ever deletes one.
      const changed =
        (await tryChange(store, { key, change, action })) ?? (await tryChange(store, { key, change, action }));
      if (changed === undefined) throw new Error(`what is known of ${key.model} at ${key.place.upstream} is not kept`);
      return changed;
    },
  };
}

interface OrderedChange {
  readonly key: AuditKey;
  readonly change: (known: AuditState | undefined) => AuditState;
  readonly action: AuditAction | undefined;
}

/**
 * Undefined where another process inserted the row first. From read to write the row is locked: others wait for their
 * turn.
 */
async function tryChange(
  store: Store,
  { key: { model, place }, change, action }: OrderedChange,
): Promise<AuditChange | undefined> {
  return await store.unitOfWork(async (em) => {
    const tables = query(em);
    const key = { model, upstream: place.upstream, upstreamModel: place.model };
    const row = await tables
      .selectFrom("DeploymentAudit")
      .select("state")
      .where("model", "=", key.model)
      .where("upstream", "=", key.upstream)
      .where("upstreamModel", "=", key.upstreamModel)
      // A transaction on SQLite has the whole database to itself from its beginning.
      .$if(store.engine === "postgres", (select) => select.forUpdate())
      .executeTakeFirst();
    const before = row && (JSON.parse(row.state) as AuditState);
    const after = change(before);
    if (before === after) return { before, after };
    const values = {
      updatedAt: new Date(),
      standing: after.standing,
      state: JSON.stringify(after),
    };
    if (row === undefined) {
      const { numInsertedOrUpdatedRows } = await tables
        .insertInto("DeploymentAudit")
        .values({ ...key, ...values })
        .onConflict((conflict) => conflict.columns(["model", "upstream", "upstreamModel"]).doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return undefined;
    } else {
      await tables
        .updateTable("DeploymentAudit")
        .set(values)
        .where("model", "=", key.model)
        .where("upstream", "=", key.upstream)
        .where("upstreamModel", "=", key.upstreamModel)
        .execute();
    }
    if (before?.standing !== after.standing) {
      await notifyChange(createExecutor(tables), store.engine, { channel: CHANNELS.deployments });
    }
    if (action !== undefined) {
      const target = { kind: "deployment", id: `${place.upstream} ${place.model}`, name: model };
      appendAuditEntry(em, {
        ...store.origin,
        action,
        target,
        before: { standing: before?.standing },
        after: { standing: after.standing, evidence: "discarded" },
      });
    }
    return { before, after };
  });
}
