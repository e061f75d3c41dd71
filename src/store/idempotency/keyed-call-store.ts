import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ErrorDetailSchema } from "../../../gen/attune/error/v1/error_pb.ts";
import { errorFromDetail, errorToDetail } from "../../hub/error-detail.ts";
import type { KeyClaim, KeyedCallStore, KeyedEnd, KeyedRow } from "../../inference/idempotency/ports.ts";
import { compressBody, expandBody } from "../../lib/compress-body.ts";
import { databaseTime, msSince } from "../database/clock.ts";
import type { IdempotentCallRow } from "../entities/idempotent-call.ts";
import { deleteInChunks } from "../retention/delete-in-chunks.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { storableText } from "../write/storable-text.ts";

/** The time that a key stays taken. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const NO_END = { answer: null, errorMessage: null, errorDetail: null };

/** Creates the table of calls under idempotency keys. */
export function createKeyedCallStore(store: Store): KeyedCallStore {
  const find = async (projectId: string, key: string): Promise<KeyedRow | undefined> => {
    const rows = store.query().selectFrom("IdempotentCall").selectAll().select(msSince(store, "beatAt").as("silentMs"));
    const row = await rows
      .where("projectId", "=", projectId)
      .where("key", "=", key)
      .where("id", ">=", oldestId())
      .executeTakeFirst();
    return row && (await fromRow(row));
  };
  const owned = (id: string, owner: string) =>
    store.query().updateTable("IdempotentCall").where("id", "=", id).where("owner", "=", owner);
  return {
    find,
    async claim(claim) {
      if (await insert(store, claim)) return undefined;
      const found = await find(claim.projectId, claim.key);
      if (found !== undefined) return found;
      // What has the key is a day old, or was given back since.
      const old = store.query().deleteFrom("IdempotentCall").where("projectId", "=", claim.projectId);
      await old.where("key", "=", claim.key).where("id", "<", oldestId()).execute();
      return (await insert(store, claim)) ? undefined : await find(claim.projectId, claim.key);
    },
    async takeOver(id, from, to) {
      const update = owned(id, from)
        .where("state", "=", "answering")
        .set({ owner: to, beatAt: databaseTime(store) });
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async end(id, owner, end) {
      const columns = await toColumns(end);
      await owned(id, owner).where("state", "=", "answering").set(columns).execute();
    },
    async remove(id, owner) {
      await store.query().deleteFrom("IdempotentCall").where("id", "=", id).where("owner", "=", owner).execute();
    },
    async beat(owner) {
      const rows = store
        .query()
        .updateTable("IdempotentCall")
        .set({ beatAt: databaseTime(store) });
      await rows.where("owner", "=", owner).where("state", "=", "answering").execute();
    },
    async removeOld(signal) {
      await deleteInChunks(store, { table: "idempotent_call", beforeId: oldestId() }, signal);
    },
    async recordedStatus(id, projectId) {
      const rows = store.query().selectFrom("Inference").select("status").where("id", "=", id);
      const row = await rows.where("projectId", "=", projectId).executeTakeFirst();
      if (row === undefined) return undefined;
      return row.status === "completed" ? "completed" : "failed";
    },
  };
}

function oldestId(): string {
  return firstIdAt(Date.now() - KEPT_MS);
}

/** Returns whether the key was free. */
async function insert(store: Store, claim: KeyClaim): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await store
    .query()
    .insertInto("IdempotentCall")
    .values({ ...claim, ...NO_END, beatAt: databaseTime(store), state: "answering" })
    .onConflict((conflict) => conflict.columns(["projectId", "key"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function toColumns(end: KeyedEnd): Promise<Partial<IdempotentCallRow>> {
  if (end.kind === "not kept") return { state: end.kind };
  const answer = Buffer.from(await compressBody(end.answer));
  const { error } = end;
  if (error === undefined) return { state: end.kind, answer };
  const errorDetail = Buffer.from(toBinary(ErrorDetailSchema, errorToDetail(error)));
  return { state: end.kind, answer, errorMessage: storableText(error.message), errorDetail };
}

async function fromRow({
  beatAt: _beatAt,
  state,
  answer,
  errorMessage,
  errorDetail,
  ...claim
}: IdempotentCallRow & Pick<KeyedRow, "silentMs">): Promise<KeyedRow> {
  if (state === "answering") return { ...claim, end: undefined };
  if (state !== "kept" || answer == null) return { ...claim, end: { kind: "not kept" } };
  const error =
    errorDetail == null ? undefined : errorFromDetail(errorMessage ?? "", fromBinary(ErrorDetailSchema, errorDetail));
  return { ...claim, end: { kind: "kept", answer: await expandBody(answer), error } };
}
