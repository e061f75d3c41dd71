import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { type Executor, transact } from "../../../../src/store/database/executor.ts";
import { type Counted, createRollups } from "../../../../src/store/write/rollups/add-rollups.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, inferenceRow } from "../../../support/rows.ts";

/** Longer than the others need for what they do meanwhile. */
const PAUSE_MS = 200;
const NO_CALLS: Counted["calls"] = new Map();

describe.each(ENGINES)("createRollups() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Has processes add rows at the same time, each of which makes a pause after every name that it adds. */
  async function addAtOnce(...processes: readonly Counted[]): Promise<void> {
    const { store } = databases;
    await Promise.all(
      processes.map((rows) =>
        transact(store, async (execute) => {
          const slowly: Executor = async <Row>(sql: string, values: readonly unknown[]) => {
            const result = await execute<Row>(sql, values);
            if (sql.startsWith("insert into rollup_name")) await delay(PAUSE_MS);
            return result;
          };
          await createRollups(engine, store.fork())(slowly, rows);
        }),
      ),
    );
  }

  async function callsOf(projectIds: readonly string[]) {
    const rows = databases.store.query().selectFrom("UsageHour").select(["projectId", "workload", "calls"]);
    return await rows.where("projectId", "in", projectIds).orderBy("projectId").orderBy("workload").execute();
  }

  it("lets no two transactions wait for each other's names, whatever the order of their projects", async () => {
    const [one, other] = [newId(), newId()].sort() as [string, string];
    const inferences = [one, other].map((projectId) => inferenceRow({ projectId, workload: "new" }));
    await addAtOnce(
      { inferences, feedback: [], calls: NO_CALLS },
      { inferences: inferences.toReversed(), feedback: [], calls: NO_CALLS },
    );
    expect(await callsOf([one, other])).toEqual(
      [one, other].map((projectId) => ({ projectId, workload: "new", calls: 2 })),
    );
  });

  it("lets no two wait for each other's names where only one of them has inferences", async () => {
    const projectId = newId();
    const inferences = [inferenceRow({ projectId, workload: "new" })];
    const feedback = [feedbackRow({ projectId, workload: "new", name: "metric" })];
    await addAtOnce({ inferences, feedback, calls: NO_CALLS }, { inferences: [], feedback, calls: NO_CALLS });
    const entries = databases.store.query().selectFrom("FeedbackDay").select(["workload", "name", "entries"]);
    expect(await entries.where("projectId", "=", projectId).execute()).toEqual([
      { workload: "new", name: "metric", entries: 2 },
    ]);
  });

  it("lets no two wait for each other where feedback has another workload than the inferences beside it", async () => {
    const projectId = newId();
    const of = (workload: string) => inferenceRow({ projectId, workload });
    const feedback = [feedbackRow({ projectId, workload: "a" })];
    await addAtOnce(
      { inferences: [of("z")], feedback, calls: NO_CALLS },
      { inferences: [of("a"), of("z")], feedback: [], calls: NO_CALLS },
    );
    expect(await callsOf([projectId])).toEqual([
      { projectId, workload: "a", calls: 1 },
      { projectId, workload: "z", calls: 2 },
    ]);
  });

  it("counts end users and tags beyond the cap as others, a call once", async () => {
    const { store } = databases;
    const projectId = newId();
    const inferences = Array.from({ length: 12 }, (_, index) =>
      inferenceRow({
        projectId,
        endUserId: `user ${String(index).padStart(2, "0")}`,
        tags: { a: "1", b: "2", c: "3" },
      }),
    );
    await transact(store, (execute) =>
      createRollups(engine, store.fork(), 1)(execute, { inferences, feedback: [], calls: NO_CALLS }),
    );
    const facts = store.query().selectFrom("UsageFactDay").select(["kind", "name", "calls"]);
    const rows = await facts.where("projectId", "=", projectId).orderBy("kind").orderBy("name").execute();
    const users = [{ kind: "end_user", name: "(other)", calls: 2 }];
    for (let user = 0; user < 10; user += 1) users.push({ kind: "end_user", name: `user 0${user}`, calls: 1 });
    const tags = ["(other)", "a=1"].map((name) => ({ kind: "tag", name, calls: 12 }));
    expect(rows.sort((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1))).toEqual([...users, ...tags]);
  });

  it("takes no name for known that a transaction added which was rolled back", async () => {
    const { store } = databases;
    const projectId = newId();
    const add = createRollups(engine, store.fork(), 1);
    const of = (workload: string) => ({
      inferences: [inferenceRow({ projectId, workload })],
      feedback: [feedbackRow({ projectId, workload })],
      calls: NO_CALLS,
    });
    const failed = transact(store, async (execute) => {
      await add(execute, of("first"));
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await transact(store, (execute) => add(execute, of("second")));
    expect(await callsOf([projectId])).toEqual([{ projectId, workload: "second", calls: 1 }]);
  });
});
