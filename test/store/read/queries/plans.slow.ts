import { describe, expect, it } from "vitest";
import { fakeFeedback, fakeInference } from "../../../../scripts/seed/fake-rows.ts";
import { Random } from "../../../../scripts/seed/random.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { transact } from "../../../../src/store/database/executor.ts";
import type { Store } from "../../../../src/store/types/store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { measuredQueries } from "../../../bench/measured-queries.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

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
      { model: "claude-haiku-5-5", keyId: "codereview01", workload: "support", sessionId: "run-1" },
      { model: "gpt-6-astra", status: "failed", workload: "evaluation" },
    ];
    const rows = values.map((value, index) =>
      inferenceRow({ projectId, id: idAt("2026-02-20T00:00:00Z", index), ...value }),
    );
    const feedback = rows.map(({ id }, index) =>
      feedbackRow({
        projectId,
        inferenceId: id,
        id: idAt("2026-02-20T00:01:00Z", index),
        tags: { channel: "mail" },
        name: "comment",
      }),
    );
    await writeBatch(databases.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
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

/** A node of a plan that was run. */
interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Counts the rows of inferences and feedback that a statement looks at, whether or not they are kept. */
function rowsLookedAt(node: PlanNode): number {
  const own = /^(inference|feedback_entry|feedback_tag)(_default|_\d+)?$/.test(node["Relation Name"] ?? "")
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsLookedAt(child), own);
}

async function runPlan(store: Store, { sql, parameters }: Statement): Promise<PlanNode> {
  return await transact(store, async (execute) => {
    await execute("set local enable_seqscan = off", []);
    const rows = await execute<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${sql}`,
      parameters,
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (plan === undefined) throw new Error("there is no plan");
    return plan;
  });
}

/** Puts made-up inferences of a year into a project of their own. */
async function writeYear(store: Store, end: Date, count: number): Promise<string> {
  const [random, projectId] = [new Random(1), newId()];
  const inferences = Array.from({ length: count }, (_, index) =>
    fakeInference(random, projectId, end.getTime() - ((count - index) / count) * 365 * 86_400_000),
  );
  await writeBatch(store, {
    inferences: inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
    feedback: inferences.flatMap((row) => fakeFeedback(random, row)),
  });
  await transact(store, (execute) => execute("analyze", []));
  return projectId;
}

describe("statements on postgres", () => {
  const databases = useDatabases("postgres");
  // A prime: made-up calls have sessions by their second, and equal distances would make all seconds alike.
  const INFERENCES = 6007;

  it("look at a page of rows and not at a year", { timeout: 60_000 }, async () => {
    const end = new Date("2026-03-01T00:00:00Z");
    const projectId = await writeYear(databases.store, end, INFERENCES);
    const { store, statements } = listening(databases.store);
    const wide: string[] = [];
    for (const [name, run] of Object.entries(measuredQueries(store, projectId, end))) {
      statements.length = 0;
      await run();
      for (const statement of statements) {
        const looked = rowsLookedAt(await runPlan(databases.store, statement));
        if (looked > INFERENCES / 10) wide.push(`${name}: ${looked} rows: ${statement.sql.slice(0, 60)}`);
      }
    }
    expect(wide).toEqual([]);
    const whole = {
      sql: "select count(*) from inference where project_id = $1 and id > $2 and model = 'x'",
      parameters: [projectId, "00000000-0000-0000-0000-000000000000"],
    };
    expect(rowsLookedAt(await runPlan(databases.store, whole))).toBe(INFERENCES);
  });
});
