import { decodeRequest, encodeRequest } from "../../hub/request-bytes.ts";
import type { BackgroundRow, BackgroundStore } from "../../inference/background/ports.ts";
import { compressBody, expandBody } from "../../lib/compress-body.ts";
import { databaseTime, msSince } from "../database/clock.ts";
import type { BackgroundInferenceRow } from "../entities/background-inference.ts";
import type { Store } from "../types/store.ts";

/** Rows that are taken over at a time. */
const MOST_SILENT = 100;

/** Ids in one statement. */
const MOST_IDS = 500;

/** Creates the table of inferences that are made in the background. */
export function createBackgroundStore(store: Store): BackgroundStore {
  const select = () =>
    store.query().selectFrom("BackgroundInference").selectAll().select(msSince(store, "beatAt").as("silentMs"));
  return {
    async add({ id, projectId, keyId, model, streamed, startedAt, input, previousId = null }) {
      const request = Buffer.from(await compressBody(encodeRequest(input)));
      const entry = { id, projectId, keyId, model, streamed, startedAt, previousId };
      const row = { ...entry, request, beatAt: databaseTime(store), cancelRequested: false };
      await store.query().insertInto("BackgroundInference").values(row).execute();
    },
    async read(id, projectId) {
      const row = await select().where("id", "=", id).where("projectId", "=", projectId).executeTakeFirst();
      return row === undefined ? undefined : await fromRow(row);
    },
    async beat(ids) {
      const known = new Map<string, boolean>();
      for (const part of getParts(ids)) {
        await store
          .query()
          .updateTable("BackgroundInference")
          .set({ beatAt: databaseTime(store) })
          .where("id", "in", part)
          .execute();
        const query = store.query().selectFrom("BackgroundInference").select(["id", "cancelRequested"]);
        for (const row of await query.where("id", "in", part).execute()) known.set(row.id, row.cancelRequested);
      }
      return { cancelled: ids.filter((id) => known.get(id) === true), lost: ids.filter((id) => !known.has(id)) };
    },
    async requestCancel(id, projectId) {
      await store
        .query()
        .updateTable("BackgroundInference")
        .set({ cancelRequested: true })
        .where("id", "=", id)
        .where("projectId", "=", projectId)
        .execute();
    },
    async remove(ids) {
      for (const part of getParts(ids)) {
        await store.query().deleteFrom("BackgroundInference").where("id", "in", part).execute();
      }
    },
    async silentFor(ms) {
      const query = select().where("beatAt", "<", databaseTime(store, -ms));
      return await Promise.all((await query.limit(MOST_SILENT).execute()).map(fromRow));
    },
  };
}

type SelectedRow = BackgroundInferenceRow & Pick<BackgroundRow, "silentMs">;

async function fromRow({ request, previousId, ...row }: SelectedRow): Promise<BackgroundRow> {
  const input = decodeRequest(await expandBody(request));
  return { ...row, input, previousId: previousId ?? undefined };
}

function getParts(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += MOST_IDS) parts.push(ids.slice(from, from + MOST_IDS));
  return parts;
}
