import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/inference/error.ts";
import type { InferenceRecord } from "../../../src/inference/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createInferenceArchive } from "../../../src/store/read/inference-archive.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

const PROJECT = "0199c0de-0000-7000-8000-0000000000a1";
const OTHER = "0199c0de-0000-7000-8000-0000000000a2";
const MIB = 1024 * 1024;

const record = (changes: Partial<InferenceRecord> = {}) => inferenceRecord({ projectId: PROJECT, ...changes });

/** A chain of `count` records, the first one first. */
function chainOf(count: number): InferenceRecord[] {
  const chain: InferenceRecord[] = [];
  for (let index = 0; index < count; index++) chain.push(record({ previousId: chain.at(-1)?.id }));
  return chain;
}

describe.each(ENGINES)("createInferenceArchive() on %s", (engine) => {
  const databases = useDatabases(engine);

  function setUp(maxBytes = MIB, arrivalMs = 50) {
    const recorder = createRecorder(databases.store, { flushIntervalMs: 60_000 });
    const archive = createInferenceArchive(databases.store, recorder, { maxBytes, arrivalMs });
    const keep = async (...records: InferenceRecord[]): Promise<void> => {
      for (const one of records) recorder.offer(one);
      await recorder.flush();
    };
    return { recorder, archive, keep };
  }

  it("reads an inference as it was asked and answered", async () => {
    const { archive, keep } = setUp();
    const one = record();
    await keep(one);
    const { id, input, output } = one;
    const [found, ...others] = await archive.readChain(id, PROJECT, 10);
    expect(others).toEqual([]);
    expect(found).toEqual({ id, previousId: undefined, input, output });
  });

  it("follows a chain over database and queue, whichever of them has which part", async () => {
    const { archive, keep, recorder } = setUp();
    const chain = chainOf(6);
    await keep(...chain.slice(0, 2), ...chain.slice(4, 5));
    for (const waiting of [...chain.slice(2, 4), ...chain.slice(5)]) recorder.offer(waiting);
    const ids = chain.map(({ id }) => id).toReversed();
    const last = ids[0] ?? "";
    expect((await archive.readChain(last, PROJECT, 10)).map(({ id }) => id)).toEqual(ids);
    expect((await archive.readChain(last, PROJECT, 4)).map(({ id }) => id)).toEqual(ids.slice(0, 4));
    expect((await archive.readChain(last, PROJECT, 1)).map(({ id }) => id)).toEqual([last]);
  });

  it("reads a long chain in order", async () => {
    const { archive, keep } = setUp();
    const chain = chainOf(120);
    await keep(...chain);
    const found = await archive.readChain(chain.at(-1)?.id ?? "", PROJECT, 1001);
    expect(found.map(({ id }) => id)).toEqual(chain.map(({ id }) => id).toReversed());
  });

  it.each<[string, Partial<InferenceRecord>]>([
    ["that was not to be stored", { stored: false }],
    ["of another project", { projectId: OTHER }],
  ])("does not find one %s, waiting or written", async (_name, changes) => {
    const { archive, recorder } = setUp();
    const one = record(changes);
    recorder.offer(one);
    expect(await archive.readChain(one.id, PROJECT, 10)).toEqual([]);
    expect(await archive.delete(one.id, PROJECT)).toBe(false);
    await recorder.flush();
    expect(await archive.readChain(one.id, PROJECT, 10)).toEqual([]);
    expect(await archive.delete(one.id, PROJECT)).toBe(false);
  });

  it("stops where a chain leaves the project or has lost a body", async () => {
    const { archive, keep } = setUp();
    const [first, ...others] = chainOf(3);
    if (first === undefined) throw new Error("a chain of three has a first");
    await keep({ ...first, projectId: OTHER }, ...others);
    const last = others.at(-1)?.id ?? "";
    const found = await archive.readChain(last, PROJECT, 10);
    expect(found.map(({ id }) => id)).toEqual(others.map(({ id }) => id).toReversed());
    expect(found.at(-1)?.previousId).toBe(first.id);
    await databases.store
      .query()
      .deleteFrom("InferenceBody")
      .where("id", "=", others[0]?.id ?? "")
      .execute();
    expect((await archive.readChain(last, PROJECT, 10)).map(({ id }) => id)).toEqual([last]);
  });

  it("deletes the bodies, once, and keeps the facts", async () => {
    const { archive, keep, recorder } = setUp();
    const [written, waiting] = [record(), record()];
    await keep(written);
    recorder.offer(waiting);
    for (const { id } of [written, waiting]) {
      expect(await archive.delete(id, PROJECT)).toBe(true);
      expect(await archive.delete(id, PROJECT)).toBe(false);
      expect(await archive.readChain(id, PROJECT, 10)).toEqual([]);
      const query = databases.store.query();
      const row = await query.selectFrom("Inference").select(["costNanos", "deletedAt"]).where("id", "=", id).execute();
      expect(row).toEqual([{ costNanos: 9_007_199_254_740_991, deletedAt: expect.any(Date) }]);
      expect(await query.selectFrom("InferenceBody").select("id").where("id", "=", id).execute()).toEqual([]);
    }
  });

  it("refuses a conversation that is larger than allowed", async () => {
    const { archive, keep } = setUp(3000);
    const words = "x".repeat(1000);
    const input = create(InferenceInputSchema, {
      messages: [{ content: [{ kind: { case: "text", value: { text: words } } }] }],
    });
    const output = create(GenerateResponseSchema);
    const chain = chainOf(3).map((one) => ({ ...one, input, output }));
    await keep(...chain);
    expect(await archive.readChain(chain[1]?.id ?? "", PROJECT, 10)).toHaveLength(2);
    await expect(archive.readChain(chain[2]?.id ?? "", PROJECT, 10)).rejects.toMatchObject({
      reason: ErrorReason.REQUEST_TOO_LARGE,
    });
  });

  it("waits for a record that comes from another host only where there are more hosts", async () => {
    // Long enough for a busy machine to write it.
    const { archive } = setUp(MIB, 2000);
    const elsewhere = setUp();
    const one = record({ id: newId() });
    const found = archive.readChain(one.id, PROJECT, 1);
    setTimeout(() => void elsewhere.keep(one), 10);
    expect(await found).toHaveLength(engine === "postgres" ? 1 : 0);
  });

  it("says that it is the database that is away", async () => {
    const recorder = { find: () => undefined, pending: () => undefined, flush: async () => {} };
    const broken = {
      ...databases.store,
      engine,
      fork: () => databases.store.fork(),
      query: () => databases.store.query(),
    };
    const archive = createInferenceArchive(
      Object.assign(broken, {
        fork: () => {
          throw new Error("away");
        },
      }),
      recorder,
      { maxBytes: MIB },
    );
    await expect(archive.readChain(newId(), PROJECT, 1)).rejects.toMatchObject({ reason: ErrorReason.UNAVAILABLE });
  });
});
