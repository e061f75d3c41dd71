import type { Held } from "./plan-retention.ts";
import { KINDS_OF_DATA } from "./retention-kind.ts";

/** Says in a sentence what waits for an operator, why, and what to do. */
export function describeHeld({ kind, before, expired, percent, reason }: Held): string {
  const what = `${expired} ${kind === "hours" || kind === "figures" ? "hours of " : ""}${KINDS_OF_DATA[kind].name}`;
  const much = `${what} (${percent.toFixed(0)} % of all) from before ${before.toISOString()} are not deleted`;
  const why =
    reason === "clock"
      ? "the clock is weeks ahead of all that the database knows, and may be wrong"
      : "that is more than a run deletes by itself";
  return `${much}: ${why}; 'attune retention' shows what waits, 'attune retention --confirm' deletes it`;
}
