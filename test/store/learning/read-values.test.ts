import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createExecutor, type Executor } from "../../../src/store/database/executor.ts";
import { findInSessions, findJudgedCalls } from "../../../src/store/learning/read-values.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { useDatabases } from "../../support/database.ts";
import { said, served, write } from "./fill.ts";

const SESSIONS = 400;
const CALLS = 5;
const NAME = "ok";

/** A node of a plan that PostgreSQL has run. */
interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

function rowsOf(node: PlanNode): number {
  const own = node["Actual Rows"] * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), own);
}

describe("the values of sessions", () => {
  const databases = useDatabases("postgres");

  it("are read session by session, however many values have the name", async () => {
    const { store } = databases;
    const projectId = newId();
    const calls = Array.from({ length: SESSIONS * CALLS }, (_, index) =>
      served({ projectId, model: "base", sessionId: `run-${index % SESSIONS}`, sessionSource: "attune-session" }),
    );
    await writeBatch(store, { inferences: calls.map(write), feedback: calls.map((row) => said(row, true)) });
    const plain = createExecutor(store.query());
    await plain("analyze", []);
    const session = (index: number) => {
      const { keyId } = calls[0] ?? served({});
      return { projectId, keyId, source: "attune-session", id: `run-${index}` };
    };
    const sessions = Array.from({ length: 100 }, (_, index) => session(index));
    const metrics = sessions.map((one) => ({ session: one, name: NAME, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }));
    const found = await findInSessions("postgres", plain, metrics);
    expect(found.map((values) => values.length)).toEqual(metrics.map(() => CALLS));

    const plans: PlanNode[] = [];
    const explain: Executor = async (sql, values) => {
      const [row] = await plain<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${sql}`,
        values,
      );
      for (const { Plan } of row?.["QUERY PLAN"] ?? []) plans.push(Plan);
      return [];
    };
    await findInSessions("postgres", explain, metrics);
    await findJudgedCalls("postgres", explain, sessions);
    // Their 500 calls and values go through some ten nodes each; all 2,000 values for each session were 200,000.
    expect(plans.map((plan) => rowsOf(plan) < 20_000)).toEqual([true, true]);
  });
});
