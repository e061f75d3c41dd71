import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { KeyedCalls } from "../../../src/inference/idempotency/keyed-calls.ts";
import type { KeyedEnd } from "../../../src/inference/idempotency/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createKeyedCallStore } from "../../../src/store/idempotency/keyed-call-store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const PROJECT = newId();
const NEVER = new AbortController().signal;
const KEPT: KeyedEnd = { kind: "kept", answer: new Uint8Array([1, 2, 3]), error: undefined };
/** More than a day ago. */
const OLD_ID = "01900000-0000-7000-8000-000000000000";

const claimOf = (key: string, id = newId()) => ({ id, projectId: PROJECT, key, bodyHash: "hash", owner: newId() });

describe.each(ENGINES)("createKeyedCallStore() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("gives a key to the first that claims it, and tells others who has it and how that ended", async () => {
    const store = createKeyedCallStore(databases.store);
    const claim = claimOf("one");
    expect(await store.claim(claim)).toBeUndefined();
    expect(await store.claim(claimOf("one"))).toMatchObject({ ...claim, end: undefined });
    await store.end(claim.id, newId(), KEPT);
    expect((await store.find(PROJECT, "one"))?.end).toBeUndefined();
    await store.end(claim.id, claim.owner, KEPT);
    expect((await store.find(PROJECT, "one"))?.end).toMatchObject({ kind: "kept", error: undefined });
    expect(await store.find(newId(), "one")).toBeUndefined();
  });

  it("keeps a failure with its facts", async () => {
    const store = createKeyedCallStore(databases.store);
    const claim = claimOf("failure");
    await store.claim(claim);
    const error = new InferenceError(ErrorReason.INVALID_REQUEST, "model: is odd", { param: "model" });
    await store.end(claim.id, claim.owner, { ...KEPT, error });
    expect((await store.find(PROJECT, "failure"))?.end).toMatchObject({
      error: { reason: ErrorReason.INVALID_REQUEST, message: "model: is odd", facts: { param: "model" } },
    });
  });

  it("gives a key again after a day, and deletes what is old", async () => {
    const store = createKeyedCallStore(databases.store);
    await store.claim(claimOf("old", OLD_ID));
    expect(await store.find(PROJECT, "old")).toBeUndefined();
    const claim = claimOf("old");
    expect(await store.claim(claim)).toBeUndefined();
    await store.claim(claimOf("older", OLD_ID));
    await store.removeOld(NEVER);
    const rows = databases.store.query().selectFrom("IdempotentCall").select("id").where("id", "=", OLD_ID);
    expect(await rows.execute()).toEqual([]);
    expect(await store.find(PROJECT, "old")).toMatchObject(claim);
  });

  describe("under KeyedCalls, when a process is gone", () => {
    const callsOf = (answers: readonly GenerateResponse[] = []) => {
      const archive = { readAnswers: async () => new Map(answers.map((answer) => [answer.id, answer])) };
      const store = createKeyedCallStore(databases.store);
      const log = { warn: () => {} };
      return new KeyedCalls({ store, archive, log, projectShare: 1, times: { silentMs: 0, lookMs: 1 } });
    };
    const principal = { keyId: "k", projectId: PROJECT };
    const readOne = (calls: KeyedCalls, key: string, made: string[]) =>
      calls.readOne(
        {
          key: { key, bodyHash: "hash" },
          principal,
          schema: GenerateResponseSchema,
          answer: async (id) => {
            made.push(id);
            return { item: create(GenerateResponseSchema, { id, model: "made again" }), isKept: true };
          },
          fromRecord: (recorded) => [recorded],
        },
        NEVER,
      );

    it("answers its call under the id that it had, so that no second record can be", async () => {
      const claim = claimOf("gone");
      await createKeyedCallStore(databases.store).claim(claim);
      const made: string[] = [];
      const calls = callsOf();
      expect(await readOne(calls, "gone", made)).toMatchObject({ id: claim.id, model: "made again" });
      expect(await readOne(calls, "gone", made)).toMatchObject({ id: claim.id });
      expect(made).toEqual([claim.id]);
      await calls.close();
    });

    it("gives the answer that it had recorded, and asks nobody", async () => {
      const claim = claimOf("recorded");
      const keyed = createKeyedCallStore(databases.store);
      await keyed.claim(claim);
      const recorded = create(GenerateResponseSchema, { id: claim.id, model: "recorded", finished: {} });
      const made: string[] = [];
      const calls = callsOf([recorded]);
      expect(await readOne(calls, "recorded", made)).toMatchObject({ id: claim.id, model: "recorded" });
      expect(made).toEqual([]);
      await calls.close();
    });
  });
});
