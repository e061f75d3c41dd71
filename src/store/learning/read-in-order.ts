import type { Kysely } from "@mikro-orm/sql";
import type { LearningEvent } from "../../learning/events.ts";
import { entryToEvent, inferenceToEvent } from "../types/learning-events.ts";
import type { Tables } from "../types/tables.ts";

const PAGE = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Yields all that there is to learn from of a project, in the order of ids, which is that of time. Holds two pages at a time. */
export async function* readInOrder(tables: Kysely<Tables>, projectId: string): AsyncGenerator<LearningEvent> {
  const inferences = pages(async (after) => {
    const rows = tables
      .selectFrom("Inference")
      .selectAll()
      .where("projectId", "=", projectId)
      .where("family", "<>", "");
    return (await rows.where("id", ">", after).orderBy("id").limit(PAGE).execute()).map(inferenceToEvent);
  });
  const entries = pages(async (after) => {
    const rows = tables.selectFrom("FeedbackEntry").selectAll().where("projectId", "=", projectId);
    const values = rows.where("kind", "<>", "note").where("id", ">", after);
    return (await values.orderBy("id").limit(PAGE).execute()).map(entryToEvent);
  });
  let [inference, entry] = [await inferences.next(), await entries.next()];
  while (!inference.done || !entry.done) {
    if (!inference.done && (entry.done || inference.value.id < entry.value.id)) {
      yield inference.value;
      inference = await inferences.next();
    } else if (!entry.done) {
      yield entry.value;
      entry = await entries.next();
    }
  }
}

async function* pages(read: (after: string) => Promise<LearningEvent[]>): AsyncGenerator<LearningEvent, undefined> {
  let after = FIRST_ID;
  for (;;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return undefined;
    after = last.id;
  }
}
