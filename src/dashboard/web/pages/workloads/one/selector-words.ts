import { formatPercent } from "../../../parts/format.ts";

/** What is known of the choice among several answers. */
interface SelectorFigures {
  readonly rewards: number;
  readonly isProven: boolean;
  readonly accuracy: {
    readonly basis: "draws" | "pairs";
    readonly observations: number;
    readonly value: number;
    readonly low: number;
    readonly high: number;
  };
}

/** What an operator lets be changed by what is learned. */
interface Holds {
  readonly mode: "off" | "observe" | "on";
  readonly hold: { readonly kind: "frozen" | "pinned" } | null;
}

/** Says how well what was learned chooses among several answers, by what evidence, and what follows from that. */
export function selectorWords({ rewards, isProven, accuracy }: SelectorFigures, holds: Holds): string {
  const learned = `Learned from ${count(rewards, "reward", "rewards")} of answers that were chosen among several, and of others of those that people have looked at.`;
  return `${learned} ${measured(accuracy)} ${consequence(isProven, holds)}`;
}

function measured({ basis, observations, value, low, high }: SelectorFigures["accuracy"]): string {
  if (observations === 0)
    return "How well it chooses was not measured yet: chance has chosen no answer that has feedback.";
  const seen =
    basis === "pairs"
      ? `${count(observations, "pair", "pairs")} of which both have feedback`
      : count(observations, "answer that chance chose", "answers that chance chose");
  return `Of two answers that differ it prefers the better one in ${formatPercent(value)} of the cases, 95 % within ${formatPercent(low)} to ${formatPercent(high)}, by ${seen}.`;
}

function consequence(isProven: boolean, { mode, hold }: Holds): string {
  if (!isProven)
    return "That does not prove it yet (from 75 % at the lower end, and 20 of these, on it chooses): the rules choose.";
  if (mode !== "on") return "It would choose if learning were on.";
  return hold?.kind === "frozen" ? "It would choose if the workload were not frozen." : "So it chooses.";
}

function count(number: number, one: string, many: string): string {
  const whole = Math.round(number);
  return `${whole.toLocaleString("en-US")} ${whole === 1 ? one : many}`;
}
