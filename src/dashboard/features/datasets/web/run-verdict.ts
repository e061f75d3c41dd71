import { nameText } from "../../../web/parts/name-text.ts";
import type { Totals } from "./run.ts";

/** Says what the totals of a run show of its two models; undefined before a request was compared. */
export function runVerdict(models: readonly [string, string], totals: Totals): string | undefined {
  const { difference, sides, ties, unanswered } = totals;
  const [one, other] = sides;
  const [first, second] = [nameText(models[0]), nameText(models[1])];
  if (difference === null && unanswered > 0)
    return `Nothing was compared: ${first} and ${second} failed in each request.`;
  if (difference === null || one === undefined || other === undefined) return undefined;
  const pairs = one.wins + other.wins + ties;
  const isGraded = one.graded + other.graded > 0;
  // Grades that were paid for, and are none.
  const isUnread = !isGraded && (totals.gradeNanos ?? 0) > 0;
  const why = isUnread ? "the judge didn't return a readable grade" : "no judge graded them";
  if (!isGraded && pairs === ties) {
    return (
      `Nothing tells these answers apart: ${why}, and checks found them alike. Run again, and choose ` +
      `${isUnread ? "another" : "a"} judge in the dialog.`
    );
  }
  const { low, high } = difference;
  const interval = `95% interval ${points(low)} to ${points(high)} points, ${pairs} requests`;
  const by = isGraded ? "" : ` By checks alone: ${why}.`;
  if (low > 0) return `${second} wins more often than ${first} (${interval}).${by}`;
  if (high < 0) return `${second} wins less often than ${first} (${interval}).${by}`;
  return (
    `No difference is shown: ${second} is at most ${points(-low)} points worse than ${first} and at most ` +
    `${points(high)} points better (${interval}).${by}`
  );
}

function points(part: number): string {
  return String(Math.round(100 * part) || 0).replace("-", "\u2212");
}
