import type { Kysely } from "@mikro-orm/sql";
import type { LearningEvent, LoggedItem } from "../../learning/events.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { entryToEvent, inferenceToEvent, shadowToEvent } from "../types/learning-events.ts";
import type { Tables } from "../types/tables.ts";

const PAGE = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Yields all that there is to learn from of a project, in the order of ids, which is that of time. Holds two pages at a
 * time.
 */
export function readInOrder(tables: Kysely<Tables>, projectId: string): AsyncGenerator<LearningEvent> {
  const inferences = pages(FIRST_ID, async (after): Promise<LearningEvent[]> => {
    const rows = getInferences(tables, projectId, after).where("family", "<>", "");
    return (await rows.execute()).map(inferenceToEvent);
  });
  const entries = pages(FIRST_ID, async (after): Promise<LearningEvent[]> => {
    return (await getEntries(tables, projectId, after).execute()).map(entryToEvent);
  });
  const grades = pages(FIRST_ID, async (after): Promise<LearningEvent[]> => {
    return (await getGrades(tables, projectId, after).execute()).flatMap((row) => shadowToEvent(row) ?? []);
  });
  return merged(merged(inferences, entries), grades);
}

/**
 * Yields the inferences of a workload with the decisions on them, and all values that were said of inferences of its
 * project, in the order of ids, after one of them. Holds two pages at a time.
 */
export function readLogged(
  tables: Kysely<Tables>,
  { projectId, model }: WorkloadKey,
  after = FIRST_ID,
): AsyncGenerator<LoggedItem> {
  const inferences = pages(after, async (from): Promise<Identified<LoggedItem>[]> => {
    const rows = getInferences(tables, projectId, from).where("model", "=", model).where("decision", "is not", null);
    return (await rows.execute()).flatMap((row) => {
      const { id, decision } = row;
      return decision === null ? [] : [{ id, kind: "served", event: inferenceToEvent(row), decision }];
    });
  });
  const entries = pages(
    after,
    async (from): Promise<Identified<LoggedItem>[]> =>
      // What is said of candidates that were not given is not of who answered.
      (await getEntries(tables, projectId, from).where("attempt", "is", null).execute()).map((row) => ({
        id: row.id,
        kind: "feedback",
        event: entryToEvent(row),
      })),
  );
  return merged(inferences, entries);
}

type Identified<T> = T & { readonly id: string };

function getInferences(tables: Kysely<Tables>, projectId: string, after: string) {
  const rows = tables.selectFrom("Inference").selectAll().where("projectId", "=", projectId);
  return rows.where("id", ">", after).orderBy("id").limit(PAGE);
}

function getEntries(tables: Kysely<Tables>, projectId: string, after: string) {
  const rows = tables.selectFrom("FeedbackEntry").selectAll().where("projectId", "=", projectId);
  const values = rows.where("kind", "<>", "note").where("id", ">", after);
  return values.orderBy("id").limit(PAGE);
}

/** The trials and checks in which anything was graded, and verdicts: each has an event. */
function getGrades(tables: Kysely<Tables>, projectId: string, after: string) {
  const rows = tables.selectFrom("ShadowTrial").selectAll().where("projectId", "=", projectId);
  const graded = rows.where(({ eb, or }) =>
    or([eb("servedGood", "is not", null), eb("trialGood", "is not", null), eb("kind", "=", "verdict")]),
  );
  return graded.where("id", ">", after).orderBy("id").limit(PAGE);
}

async function* merged<T extends { readonly id: string }>(
  one: AsyncGenerator<T, undefined>,
  other: AsyncGenerator<T, undefined>,
): AsyncGenerator<T> {
  let [left, right] = [await one.next(), await other.next()];
  while (!left.done || !right.done) {
    if (!left.done && (right.done || left.value.id < right.value.id)) {
      yield left.value;
      left = await one.next();
    } else if (!right.done) {
      yield right.value;
      right = await other.next();
    }
  }
}

async function* pages<T extends { readonly id: string }>(
  first: string,
  read: (after: string) => Promise<T[]>,
): AsyncGenerator<T, undefined> {
  let after = first;
  for (;;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return undefined;
    after = last.id;
  }
}
