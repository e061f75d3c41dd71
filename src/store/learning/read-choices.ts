import type { CandidateRanking } from "../../hub/candidate-signals.ts";
import type { RecordedChoice } from "../../learning/ports.ts";
import type { Executor } from "../database/executor.ts";

interface CandidateRow {
  readonly id: string;
  readonly position: number;
  readonly isWinner: boolean | number;
  /** As its engine gives JSON. */
  readonly ranking: CandidateRanking | string;
  readonly reason: string;
}

/**
 * Reads how answers were chosen among several, by the ids of their inferences; `list` is the form in which the engine
 * takes these.
 */
export async function readChoices(
  execute: Executor,
  list: string,
  inferenceIds: readonly string[],
): Promise<ReadonlyMap<string, RecordedChoice>> {
  if (inferenceIds.length === 0) return new Map();
  const rows = await execute<CandidateRow>(
    `select a."id", a."position", a."is_winner" as "isWinner", a."ranking", a."candidate_reason" as "reason"
       from ${list} as asked join "inference_attempt" a on a."id" = asked."id"
       where a."ranking" is not null order by a."id", a."position"`,
    [JSON.stringify(inferenceIds)],
  );
  const choices = new Map<string, RecordedChoice>();
  for (const [id, candidates] of Map.groupBy(rows, (row) => row.id)) {
    const rankings = candidates.map(({ ranking }): CandidateRanking => {
      return typeof ranking === "string" ? JSON.parse(ranking) : ranking;
    });
    const returned = candidates.findIndex(({ isWinner }) => Boolean(isWinner));
    const { chance } = rankings[returned] ?? { chance: 0 };
    // One whose caller had left when it was chosen was returned to nobody.
    if (chance <= 0) continue;
    const isRandom = candidates[returned]?.reason === "random";
    choices.set(id, {
      candidates: rankings.map(({ signals }) => signals),
      expected: rankings.map(({ expectedReward }) => expectedReward),
      attempts: candidates.map(({ position }) => position),
      returned,
      chance,
      isRandom,
    });
  }
  return choices;
}
