import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { transact } from "../../../src/store/bulk/executor.ts";
import { writeBatch } from "../../../src/store/recorder/write-batch.ts";
import type { Store } from "../../../src/store/store.ts";
import { measuredQueries } from "../../bench/measured-queries.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Returns the store, and the statements that pass through it. */
function listening(store: Store): { store: Store; statements: Statement[] } {
  const statements: Statement[] = [];
  const query = () => {
    const tables = store.query();
    return new Proxy(tables, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => {
          if (name === "executeQuery") statements.push(values[0] as Statement);
          return member.apply(target, values);
        };
      },
    });
  };
  return {
    store: Object.assign(Object.create(store), { engine: store.engine, query, fork: () => store.fork() }),
    statements,
  };
}

async function explain(store: Store, { sql, parameters }: Statement): Promise<string[]> {
  if (store.engine === "sqlite") {
    const rows = await transact(store, (execute) =>
      execute<{ detail: string }>(`explain query plan ${sql}`, parameters),
    );
    return rows.map(({ detail }) => detail);
  }
  return await transact(store, async (execute) => {
    // On tables of a few rows everything is read whole, unless that is the last resort.
    await execute("set local enable_seqscan = off", []);
    const rows = await execute<{ "QUERY PLAN": string }>(`explain ${sql}`, parameters);
    return rows.map((row) => row["QUERY PLAN"]);
  });
}

/** A whole table, or a whole index, is read. */
const READS_ALL = /Seq Scan on|^SCAN (inference|feedback_|usage_)/;

describe.each(ENGINES)("plans on %s", (engine) => {
  const databases = useDatabases(engine);

  it("never read a whole table", async () => {
    const projectId = newId();
    const end = new Date("2026-03-01T00:00:00Z");
    const values = [
      { model: "claude-haiku-5-5", keyId: "codereview01", workload: "support" },
      { model: "gpt-6-astra", status: "failed", workload: "evaluation" },
    ];
    const rows = values.map((value, index) =>
      inferenceRow({ projectId, id: idAt("2026-02-20T00:00:00Z", index), ...value }),
    );
    const feedback = rows.map(({ id }, index) =>
      feedbackRow({
        ...{ projectId, inferenceId: id, id: idAt("2026-02-20T00:01:00Z", index) },
        ...{ tags: { channel: "mail" }, name: "comment" },
      }),
    );
    await writeBatch(databases.store, {
      inferences: rows.map((row) => ({ row, request: undefined, response: undefined })),
      feedback,
    });
    const { store, statements } = listening(databases.store);
    const offending: string[] = [];
    for (const [name, run] of Object.entries(measuredQueries(store, projectId, end))) {
      statements.length = 0;
      await run();
      for (const statement of statements) {
        const plan = await explain(databases.store, statement);
        offending.push(...plan.filter((line) => READS_ALL.test(line.trim())).map((line) => `${name}: ${line.trim()}`));
      }
    }
    expect(statements.length).toBeGreaterThan(0);
    expect(offending).toEqual([]);
  });

  it("would show a whole table being read", async () => {
    const plan = await explain(databases.store, {
      sql: "select count(*) from feedback_entry where text_value = 'x'",
      parameters: [],
    });
    expect(plan.filter((line) => READS_ALL.test(line.trim()))).toHaveLength(1);
  });
});
