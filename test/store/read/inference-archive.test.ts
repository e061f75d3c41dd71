import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { InferenceRecord } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { DatabaseTimeoutError } from "../../../src/lib/database-state.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createOwnInferences } from "../../../src/store/peers/local-inferences.ts";
import { createInferenceArchive } from "../../../src/store/read/inference-archive.ts";
import { StoreLookup } from "../../../src/store/read/store-lookup.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

const PROJECT = "0199c0de-0000-7000-8000-0000000000a1";
const OTHER = "0199c0de-0000-7000-8000-0000000000a2";
const MIB = 1024 * 1024;

const nothing = { written: async () => true };

const record = (changes: Partial<InferenceRecord> = {}) => inferenceRecord({ projectId: PROJECT, ...changes });

/** A chain of `count` records, the first one first. */
function chainOf(count: number): InferenceRecord[] {
  const chain: InferenceRecord[] = [];
  for (let index = 0; index < count; index++) chain.push(record({ previousId: chain.at(-1)?.id }));
  return chain;
}

describe.each(ENGINES)("createInferenceArchive() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** An archive of a process whose neighbours say the same of every inference. */
  function setUp(maxBytes = MIB, waitMs = 5000, elsewhere: "single" | "late" | "unsure" = "single") {
    const { store } = databases;
    const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
    const inFlight = new InFlight();
    const own = createOwnInferences(inFlight, recorder);
    const awaited: string[] = [];
    const peers = {
      hasOthers: async () => elsewhere !== "single",
      find: async () => ({ known: new Map(), certainty: "single" as const, unasked: [] }),
      async written(id: string) {
        awaited.push(id);
        return elsewhere;
      },
    };
    const lookup = new StoreLookup({ store, own, peers });
    const archive = createInferenceArchive({ store, recorder, own, lookup }, { maxBytes, waitMs });
    const keep = async (...records: InferenceRecord[]): Promise<void> => {
      for (const one of records) recorder.offer(one);
      await recorder.flush();
    };
    return { recorder, archive, keep, inFlight, awaited };
  }

  it("reads an inference as it was asked and answered", async () => {
    const { archive, keep } = setUp();
    const one = record();
    await keep(one);
    const { id, input, output } = one;
    const [found, ...others] = await archive.readChain(id, PROJECT, 10);
    expect(others).toEqual([]);
    expect(found).toEqual({ id, status: "completed", previousId: undefined, input, output });
  });

  it("reads the answers of a project, also of those that cannot be continued, from database and queue", async () => {
    const { archive, keep, recorder } = setUp();
    const [unstored, foreign, waiting, deleted] = [record(), record(), record(), record()];
    await keep({ ...unstored, stored: false }, { ...foreign, projectId: newId() }, deleted);
    recorder.offer(waiting);
    await archive.delete(deleted.id, PROJECT);
    const ids = [unstored.id, foreign.id, waiting.id, deleted.id, newId()];
    expect(await archive.readAnswers?.(ids, PROJECT)).toEqual(
      new Map([
        [unstored.id, unstored.output],
        [waiting.id, waiting.output],
      ]),
    );
    expect(await setUp(1).archive.readAnswers?.([unstored.id], PROJECT)).toEqual(new Map());
  });

  it("finds the answers that have items of a name, the latest first, and waits for those of other processes", async () => {
    const { archive, keep, recorder } = setUp();
    const named = (...ids: string[]) => {
      const content = ids.map((itemId) => ({ itemId, kind: { case: "text" as const, value: { text: "x" } } }));
      const output = create(GenerateResponseSchema, { content });
      return record({ dialect: Dialect.RESPONSES, output });
    };
    const [first, second, foreign, deleted, other] = [
      named("msg_1", "rs_1"),
      named("msg_1"),
      named("msg_1"),
      named("msg_2"),
      record(),
    ];
    await keep(first, second, { ...foreign, projectId: OTHER }, deleted, other);
    await archive.delete(deleted.id, PROJECT);
    const item = { upstream: "anthropic", isStored: true, asked: expect.any(String) };
    const find = (ids: readonly string[]) => archive.findItems?.(ids, PROJECT);
    expect(await find(["msg_1", "rs_1", "msg_2", "msg_3"])).toEqual(
      new Map([
        ["msg_1", [second, first].map(({ id: inferenceId }) => ({ ...item, inferenceId }))],
        ["rs_1", [{ ...item, inferenceId: first.id }]],
      ]),
    );
    const late = named("msg_4");
    const waited = setUp(MIB, 5000, "late").archive.findItems?.(["msg_4"], PROJECT);
    recorder.offer(late);
    await recorder.flush();
    expect((await waited)?.get("msg_4")).toMatchObject([{ inferenceId: late.id }]);
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
    const input = createHubInput({
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

  it("says that it is the database that is away", async () => {
    const lookup = { arrival: async () => "nowhere" as const, settled: async () => {}, hasOthers: async () => false };
    const recorder = { pending: () => undefined };
    const store = {
      ...databases.store,
      fork: () => {
        throw new DatabaseTimeoutError("away");
      },
    };
    const archive = createInferenceArchive({ store, recorder, own: nothing, lookup }, { maxBytes: MIB });
    await expect(archive.readChain(newId(), PROJECT, 1)).rejects.toMatchObject({ reason: ErrorReason.UNAVAILABLE });
  });

  it("waits for what is under way in its own project only", async () => {
    const { archive, recorder, inFlight } = setUp();
    const one = record();
    inFlight.add(one.id, { projectId: PROJECT, model: "m", workload: "" });
    let isFound = false;
    const mine = archive.readChain(one.id, PROJECT, 1).then((chain) => {
      isFound = chain.length === 1;
    });
    expect(await archive.readChain(one.id, OTHER, 1)).toEqual([]);
    expect(isFound).toBe(false);
    recorder.offer(one);
    inFlight.delete(one.id);
    await mine;
    expect(isFound).toBe(true);
  });

  it("waits for a limited time for what does not end", async () => {
    const { archive, inFlight } = setUp(MIB, 20);
    const { id } = record();
    inFlight.add(id, { projectId: PROJECT, model: "m", workload: "" });
    const late = { reason: ErrorReason.UNAVAILABLE, message: expect.stringContaining("has not ended") };
    await expect(archive.readChain(id, PROJECT, 1)).rejects.toMatchObject(late);
    await expect(archive.delete(id, PROJECT)).rejects.toMatchObject(late);
  });

  it.each([
    ["late", "has not ended, or is still being written"],
    ["unsure", "a process of this service that does not answer"],
  ] as const)("says that an inference is %s elsewhere, also one that others follow", async (arrival, words) => {
    const { archive, keep, awaited } = setUp(MIB, 1000, arrival);
    const [first, second] = chainOf(2);
    if (first === undefined || second === undefined) throw new Error("a chain of two has two");
    await keep(second);
    const unavailable = { reason: ErrorReason.UNAVAILABLE, message: expect.stringContaining(words) };
    await expect(archive.readChain(second.id, PROJECT, 10)).rejects.toMatchObject(unavailable);
    expect(awaited).toEqual([first.id]);
  });
});
