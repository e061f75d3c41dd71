import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { transact } from "../../../../src/store/database/executor.ts";
import { openStore } from "../../../../src/store/database/open-store.ts";
import { OTHER_NAMES } from "../../../../src/store/entities/rollup-name.ts";
import { listFeedback } from "../../../../src/store/read/queries/list-feedback.ts";
import { listInferences } from "../../../../src/store/read/queries/list-inferences.ts";
import { forgetNames } from "../../../../src/store/retention/maintenance.ts";
import type { Store } from "../../../../src/store/types/store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { RollupNames } from "../../../../src/store/write/rollups/rollup-names.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

const DAY_MS = 86_400_000;

describe.each(ENGINES)("the names of rollups on %s", (engine) => {
  const databases = useDatabases(engine);

  async function replicas(count: number, namesPerProject: number): Promise<Store[]> {
    const url = await databases.newMigratedUrl();
    const stores: Store[] = [];
    for (let index = 0; index < count; index += 1) stores.push(await openStore(url, { namesPerProject }));
    return stores;
  }

  async function write(store: Store, projectId: string, workloads: readonly string[], daysAgo = 0): Promise<void> {
    const time = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    const ids = workloads.map((_, index) => idAt(time, index));
    await writeBatch(store, {
      inferences: workloads.map((workload, index) => ({
        row: inferenceRow({ id: ids[index] ?? "", projectId, workload }),
        attempts: [],
        request: undefined,
        response: undefined,
      })),
      feedback: workloads.map((workload, index) =>
        feedbackRow({
          id: ids[index] ?? "",
          inferenceId: ids[index] ?? "",
          projectId,
          workload,
          name: `is ${workload}`,
        }),
      ),
    });
  }

  it("are as many as are allowed, the rest are one, and inferences keep their own", async () => {
    const [one, other] = (await replicas(2, 5)) as [Store, Store];
    const projectId = newId();
    await one.query().insertInto("Project").values({ id: projectId, name: "many", createdAt: new Date() }).execute();
    const names = Array.from({ length: 3000 }, (_, index) => `w${String(index).padStart(4, "0")}`);
    await write(one, projectId, ["", ...names.slice(0, 3)], 3);
    await write(other, projectId, ["", ...names.slice(2, 1500)], 2);
    await write(one, projectId, ["", ...names.slice(1500)], 1);
    const hours = await one.query().selectFrom("UsageHour").select(["workload", "calls"]).execute();
    expect(hours.length).toBeLessThanOrEqual(3 * 7);
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(3004);
    const known = ["", ...names.slice(0, 5), OTHER_NAMES].sort();
    expect([...new Set(hours.map(({ workload }) => workload))].sort()).toEqual(known);
    const days = await one.query().selectFrom("FeedbackDay").select(["workload", "name", "entries"]).execute();
    expect(new Set(days.map(({ workload }) => workload)).size).toBe(7);
    // Without a workload the metric has a name too.
    expect([...new Set(days.map(({ name }) => name))].sort()).toEqual(
      ["is ", ...names.slice(0, 4).map((name) => `is ${name}`), OTHER_NAMES].sort(),
    );
    const list = async (workload: string) =>
      (await listInferences(one, { projectId, limit: 500, filter: { workload } })).rows.map((row) => row.workload);
    for (const name of ["w0002", "w2999", "w0700"]) expect([...new Set(await list(name))]).toEqual([name]);
    const others = await list(OTHER_NAMES);
    expect(others).toHaveLength(500);
    expect(others.filter((name) => name === "" || name < "w0005")).toEqual([]);
    const entries = await listFeedback(one, { projectId, limit: 10, filter: { name: "is w2999" } });
    expect(entries.rows.map(({ workload }) => workload)).toEqual(["w2999"]);
    const rated = async (name: string) => {
      const metric = { name, compare: ">", value: -1e9 } as const;
      const query = { projectId, limit: 10, filter: { workload: OTHER_NAMES }, metric };
      return (await listInferences(one, query)).rows.map((row) => row.workload);
    };
    expect([await rated("is w2999"), await rated("is w0002")]).toEqual([["w2999"], []]);
    await one.close();
    await other.close();
  });

  it("make room for others a month after they were last used", async () => {
    // What a process knows, it knows for a minute.
    const [store, other] = (await replicas(2, 2)) as [Store, Store];
    const { projectId } = inferenceRow();
    await write(store, projectId, ["old"], 40);
    await write(store, projectId, ["kept"], 5);
    await forgetNames(store, new Date());
    const known = async () => {
      const names = store.query().selectFrom("RollupName").select("name").where("kind", "=", "workload");
      return (await names.orderBy("name").execute()).map(({ name }) => name);
    };
    expect(await known()).toEqual(["kept"]);
    await write(other, projectId, ["new", "newer"], 0.1);
    expect(await known()).toEqual(["kept", "new"]);
    await other.close();
    await store.close();
  });

  it.each([
    [9, 9],
    [10, 0],
  ])("make room for tags too, and for end users once there are ten times as many: %i", async (count, left) => {
    const [store] = (await replicas(1, 1)) as [Store];
    const { projectId } = inferenceRow();
    const time = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const inferences = Array.from({ length: count }, (_, index) => ({
      row: inferenceRow({ id: idAt(time, index), workload: "", endUserId: `user ${index}`, tags: { team: "old" } }),
      attempts: [],
      request: undefined,
      response: undefined,
    }));
    await writeBatch(store, { inferences, feedback: [] });
    await forgetNames(store, new Date());
    const names = store.query().selectFrom("RollupName").select("kind").where("projectId", "=", projectId);
    expect(await names.execute()).toEqual(Array(left).fill({ kind: "end_user" }));
    await store.close();
  });

  it("are not taken for known where the transaction was rolled back", async () => {
    const [store] = (await replicas(1, 1)) as [Store];
    const { projectId } = inferenceRow();
    const names = new RollupNames(engine, 1);
    const nameOf = (name: string, fails: boolean) =>
      transact(store, async (execute) => {
        const counted = await names.tellApart(execute, { metric: [], workload: [{ projectId, name }] });
        if (fails) throw new Error("rolled back");
        return counted("workload", projectId, name);
      });
    await expect(nameOf("first", true)).rejects.toThrow("rolled back");
    expect(await nameOf("second", false)).toBe("second");
    expect(await nameOf("first", false)).toBe(OTHER_NAMES);
    expect(await nameOf("second", false)).toBe("second");
    await store.close();
  });
});
