import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { InferenceRecord } from "../../../../src/inference/ports.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { readAttempts } from "../../../../src/store/dashboard/reads/read-attempts.ts";
import { createRecorder } from "../../../../src/store/write/recorder/recorder.ts";
import type { StoreRecorder } from "../../../../src/store/write/recorder/store-recorder.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

/** What happens to one of some inferences, or to the process that makes them. */
const deeds = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant("puts down" as const), at: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("records" as const), at: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constant({ does: "writes" as const }) },
  ),
  { maxLength: 14 },
);

describe.each(ENGINES)("what stands for records of inferences under way on %s", (engine) => {
  const databases = useDatabases(engine);
  const newFolder = useTemporaryFolders();
  const open: StoreRecorder[] = [];
  afterEach(async () => {
    for (const recorder of open.splice(0)) await recorder.close();
  });

  /** Segments have one record or two, so that what is looked for lies in many of them. */
  function start(folder: string, segmentBytes = 1500): StoreRecorder {
    const recorder = createRecorder(databases.store, { folder, flushIntervalMs: 60_000, segmentBytes });
    open.push(recorder);
    return recorder;
  }

  /** Leaves in another root what the process of a recorder leaves if it is killed now. */
  function killed(recorder: StoreRecorder): Promise<string> {
    // What is written is deleted in the background, and may go while it is copied.
    return waitFor(() => {
      const root = newFolder();
      cpSync(recorder.folder, join(root, newId()), { recursive: true });
      return root;
    });
  }

  const rowOf = async (id: string) =>
    await databases.store
      .query()
      .selectFrom("Inference")
      .select(["status", "costNanos", "latencyMs"])
      .where("id", "=", id)
      .execute();

  const usedBy = async (keyId: string) => {
    const { calls, cost } = await databases.store
      .query()
      .selectFrom("UsageHour")
      .select(({ fn }) => [fn.sum("calls").as("calls"), fn.sum("costNanos").as("cost")])
      .where("keyId", "=", keyId)
      .executeTakeFirstOrThrow();
    return { calls: Number(calls), costNanos: Number(cost) };
  };

  const cutOff = (changes: Partial<InferenceRecord>) =>
    inferenceRecord({ status: "canceled", costNanos: 700, ...changes });

  it("is a record of its own once the process was killed, counted once", async () => {
    const recorder = start(newFolder());
    const keyId = newId().slice(-12);
    const record = cutOff({ keyId });
    recorder.offerProvisional(() => cutOff({ id: record.id, keyId, costNanos: 300 }));
    recorder.offerProvisional(() => {
      throw new Error("it cannot be made");
    });
    recorder.offerProvisional(() => record);
    const root = await killed(recorder);
    const next = start(root);
    await next.flush();
    expect(await rowOf(record.id)).toMatchObject([{ status: "canceled", costNanos: 700 }]);
    expect(await usedBy(keyId)).toEqual({ calls: 1, costNanos: 700 });
    await next.close();
    expect(readdirSync(root)).toEqual([]);
    // Another one that had not seen that it was taken over finds it there.
    const again = start(await killed(recorder));
    await again.flush();
    expect(await usedBy(keyId)).toEqual({ calls: 1, costNanos: 700 });
  });

  it("is gone once the record is on the disk, and stays with a process that ends before", async () => {
    const root = newFolder();
    const recorder = start(root);
    const [ended, underWay] = [inferenceRecord(), cutOff({})];
    recorder.offerProvisional(() => cutOff({ id: ended.id }));
    recorder.offerProvisional(() => underWay);
    recorder.offer(ended);
    expect(readdirSync(recorder.folder).filter((name) => name.includes(ended.id))).toEqual([]);
    await recorder.close();
    const next = start(root);
    await next.flush();
    expect(await rowOf(ended.id)).toMatchObject([{ status: "completed" }]);
    expect(await rowOf(underWay.id)).toMatchObject([{ status: "canceled" }]);
  });

  it("comes with its own attempts where it meets its record in one batch: the first is whole", async () => {
    // What is in one segment is written in one batch.
    const recorder = start(newFolder(), 1_000_000);
    const [attempt] = inferenceRecord().attempts;
    if (attempt === undefined) throw new Error("the record has no attempt");
    const record = inferenceRecord({ attempts: [attempt] });
    recorder.offer(record);
    recorder.offer(cutOff({ id: record.id, attempts: [{ ...attempt, upstream: "elsewhere" }] }));
    await recorder.flush();
    const attempts = await readAttempts(databases.store, [record.id]);
    expect(attempts.get(record.id)?.map(({ upstream }) => upstream)).toEqual([attempt.upstream]);
  });

  it("makes exactly one record of each inference, its own where there is one, whatever the moment of the end", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.nat(14), async (done, untouched) => {
        const recorder = start(newFolder());
        const ids = Array.from({ length: 4 }, () => newId());
        const [put, recorded] = [new Set<string>(), new Set<string>()];
        let root = await killed(recorder);
        for (const [at, deed] of done.entries()) {
          // Copied before the deed, or after the last: what a kill leaves.
          if (at === untouched) break;
          if (deed.does === "writes") await recorder.flush();
          else {
            const id = ids[deed.at] ?? "";
            if (recorded.has(id)) continue;
            if (deed.does === "records") {
              recorder.offer(inferenceRecord({ id }));
              recorded.add(id);
            } else {
              recorder.offerProvisional(() => cutOff({ id }));
              put.add(id);
            }
          }
          root = await killed(recorder);
        }
        const next = start(root);
        await next.flush();
        for (const id of ids) {
          const expected = recorded.has(id) ? ["completed"] : put.has(id) ? ["canceled"] : [];
          expect((await rowOf(id)).map(({ status }) => status)).toEqual(expected);
        }
        for (const each of open.splice(0)) await each.close();
      }),
      { numRuns: engine === "sqlite" ? 40 : 15 },
    );
  });
});
