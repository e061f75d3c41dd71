import type { RatedAnswer, RatedAnswers } from "../../learning/shadow/ports.ts";
import type { Store } from "../types/store.ts";
import { readAnswer } from "./read-answer.ts";

/** Rewards from which on people liked an answer, and up to which they disliked it. */
const LIKED = 0.7;
const DISLIKED = 0.3;
/** The latest records of a project among which answers are looked for, and those of a sign that are considered. */
const MOST_RECORDS = 2000;
const MOST_CONSIDERED = 20;
const MOST_NOTES = 100;

/** Reads some of the latest answers of a family that people clearly liked or disliked, those with notes first. */
export async function readRated(
  store: Store,
  family: RatedAnswers,
  mostOfSign: number,
): Promise<readonly RatedAnswer[]> {
  const checked = await readChecked(store, family);
  const notes = await readNotes(store, [...checked.keys()]);
  const found: RatedAnswer[] = [];
  for (const isLiked of [true, false]) {
    const ofSign = [...checked.keys()].filter((id) => checked.get(id) === isLiked);
    const byNotes = [...ofSign.filter((id) => notes.has(id)), ...ofSign.filter((id) => !notes.has(id))];
    let count = 0;
    for (const inferenceId of byNotes) {
      if (count === mostOfSign) break;
      const answered = await readAnswer(store, inferenceId, family.projectId);
      if (answered === undefined) continue;
      found.push({ ...answered, inferenceId, isLiked, notes: notes.get(inferenceId) ?? [] });
      count += 1;
    }
  }
  return found;
}

/** Reads which answers were liked, the latest of either sign first: each was checked once with its reward. */
async function readChecked(store: Store, { projectId, model, family }: RatedAnswers): Promise<Map<string, boolean>> {
  const rows = await store
    .query()
    .selectFrom((query) =>
      query
        .selectFrom("ShadowTrial")
        .select(["id", "inferenceId", "model", "family", "kind", "reward"])
        .where("projectId", "=", projectId)
        .orderBy("id", "desc")
        .limit(MOST_RECORDS)
        .as("latest"),
    )
    .select(["inferenceId", "reward"])
    .where("model", "=", model)
    .where("family", "=", family)
    .where("kind", "=", "check")
    .orderBy("id", "desc")
    .execute();
  const liked = new Map<string, boolean>();
  const counts = { true: 0, false: 0 };
  for (const { inferenceId, reward } of rows) {
    if (reward === null || (reward < LIKED && reward > DISLIKED) || liked.has(inferenceId)) continue;
    const isLiked = reward >= LIKED;
    if (counts[`${isLiked}`]++ < MOST_CONSIDERED) liked.set(inferenceId, isLiked);
  }
  return liked;
}

/** Reads what people said of answers in words, by the answers' ids. */
async function readNotes(store: Store, inferenceIds: readonly string[]): Promise<Map<string, string[]>> {
  const notes = new Map<string, string[]>();
  if (inferenceIds.length === 0) return notes;
  const rows = await store
    .query()
    .selectFrom("FeedbackEntry")
    .select(["inferenceId", "textValue"])
    .where("inferenceId", "in", inferenceIds)
    .where("kind", "=", "note")
    .where("attempt", "is", null)
    .orderBy("id")
    .limit(MOST_NOTES)
    .execute();
  for (const { inferenceId, textValue } of rows) {
    if (textValue !== null && textValue !== "") notes.set(inferenceId, [...(notes.get(inferenceId) ?? []), textValue]);
  }
  return notes;
}
