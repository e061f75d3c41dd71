import type { JsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";

/** Role of a turn in the Messages format. */
export type TurnRole = "user" | "assistant" | "system";

/** One turn, made of one or more of the caller's messages. */
export interface Turn {
  readonly role: TurnRole;
  readonly content: JsonObject[];
  /** Places of the caller's messages. */
  readonly paths: readonly string[];
}

/**
 * Arranges turns as the format demands: neighbours of one role are one turn, tool results stand first in theirs, and a
 * system turn stands after a user turn and at the end or before an assistant turn. A system turn elsewhere becomes a
 * user turn, which is a loss of its role.
 */
export function arrangeTurns(turns: readonly Turn[], losses: LossList): Turn[] {
  const merged = mergeNeighbours(turns);
  const placed = merged.map((turn, index) => {
    if (turn.role !== "system" || systemMayStand(merged, index)) return turn;
    for (const path of turn.paths) losses.at(`${path}.role`);
    return { ...turn, role: "user" as const };
  });
  return mergeNeighbours(placed).map((turn) => ({ ...turn, content: resultsFirst(turn.content) }));
}

function systemMayStand(turns: readonly Turn[], index: number): boolean {
  const after = turns[index + 1]?.role;
  return turns[index - 1]?.role === "user" && (after === undefined || after === "assistant");
}

function mergeNeighbours(turns: readonly Turn[]): Turn[] {
  const runs: { role: TurnRole; turns: Turn[] }[] = [];
  for (const turn of turns) {
    const last = runs.at(-1);
    if (last?.role === turn.role) last.turns.push(turn);
    else runs.push({ role: turn.role, turns: [turn] });
  }
  return runs.map(({ role, turns }) => ({
    role,
    content: turns.flatMap(({ content }) => content),
    paths: turns.flatMap(({ paths }) => paths),
  }));
}

function resultsFirst(content: readonly JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject) => block["type"] === "tool_result";
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}
