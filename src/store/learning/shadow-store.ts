import { toBinary } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { Purse, Reservation, ShadowRecord, ShadowStore } from "../../learning/shadow/ports.ts";
import { compressBody } from "../../lib/compress-body.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { listColumns } from "../database/columns.ts";
import { type Executor, readRows, transact } from "../database/executor.ts";
import { ShadowTrial } from "../entities/shadow-trial.ts";
import { shadowToEvent } from "../types/learning-events.ts";
import type { Engine, Store } from "../types/store.ts";
import { createNewRowInserter } from "../write/insert-rows.ts";
import { sql } from "./engine-sql.ts";
import { insertBatch } from "./insert-batch.ts";
import { readAnswer } from "./read-answer.ts";
import { readRated } from "./read-rated.ts";

const DAY_MS = 86_400_000;

/** Adds to a day what is set aside, where there is room for it: processes that do so at the same time take turns. */
const RESERVE = `insert into "shadow_day" ("day", "budget", "spent_nanos") values (?, ?, ?)
  on conflict ("day", "budget") do update set
  "spent_nanos" = "shadow_day"."spent_nanos" + excluded."spent_nanos"
  where "shadow_day"."spent_nanos" + excluded."spent_nanos" <= ? returning "day"`;

/** Creates the store of shadow trials. `now` returns milliseconds since 1970. */
export function createShadowStore(store: Store, now: () => number = Date.now): ShadowStore {
  const { engine } = store;
  const insert = createNewRowInserter(engine, {
    table: "shadow_trial",
    columns: listColumns(store.fork(), ShadowTrial),
  });
  return {
    async reserve({ budget, mostNanos, day = Math.floor(now() / DAY_MS) }: Purse, nanos) {
      // The first of a day finds no row to be held against.
      if (nanos > mostNanos) return undefined;
      const reserved = await readRows(store, RESERVE, [day, budget, nanos, Math.floor(mostNanos)]);
      return reserved.length === 0 ? undefined : { day, budget, nanos };
    },
    release: ({ nanos, ...budget }) =>
      transact(store, (execute) => addSpent(engine, execute, { ...budget, nanos: -nanos })),
    async write(record, { nanos, ...budget }, answer) {
      const text = answer && (await compressBody(toBinary(GenerateResponseSchema, answer)));
      await transact(store, async (execute) => {
        const inserted = await insert<ShadowRecord>(execute, [record]);
        // The same record again: what it cost, and what it teaches, was counted with the first.
        if (inserted.length === 0) return;
        await addSpent(engine, execute, { ...budget, nanos: (record.costNanos ?? 0) - nanos });
        if (text !== undefined) await addPair(engine, execute, record, text);
        const event = shadowToEvent(record);
        if (event === undefined) return;
        await insertBatch(engine, execute, { events: [event], dueAtMs: now() });
        await notifyChange(execute, engine, { channel: CHANNELS.learning });
      });
    },
    readAnswer: (inferenceId, projectId) => readAnswer(store, inferenceId, projectId),
    readRated: (family, mostOfSign) => readRated(store, family, mostOfSign),
  };
}

/** Pairs of a workload that are kept, of those that nobody has judged and of judged ones; older ones go. */
export const MOST_PAIRS = 200;
const ADD_PAIR = `insert into "shadow_pair" ("id", "inference_id", "project_id", "model", "answer")
  values (?, ?, ?, ?, ?)`;
const deleteOldPairs = (judged: string) => `delete from "shadow_pair"
  where "project_id" = ? and "model" = ? and "trial_verdict" is ${judged} and "id" <= (
    select "id" from "shadow_pair" where "project_id" = ? and "model" = ? and "trial_verdict" is ${judged}
      order by "id" desc limit 1 offset ${MOST_PAIRS})`;
const DELETE_OLD_PAIRS = [deleteOldPairs("null"), deleteOldPairs("not null")];

async function addPair(
  engine: Engine,
  execute: Executor,
  { id, inferenceId, projectId, model }: ShadowRecord,
  answer: Uint8Array,
): Promise<void> {
  await execute(sql(engine, ADD_PAIR), [id, inferenceId, projectId, model, answer]);
  for (const deletion of DELETE_OLD_PAIRS) await execute(sql(engine, deletion), [projectId, model, projectId, model]);
}

const ADD = 'update "shadow_day" set "spent_nanos" = "spent_nanos" + ? where "day" = ? and "budget" = ?';

async function addSpent(engine: Engine, execute: Executor, { day, budget, nanos }: Reservation): Promise<void> {
  await execute(sql(engine, ADD), [nanos, day, budget]);
}
