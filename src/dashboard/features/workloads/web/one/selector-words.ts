import { formatPercent } from "../../../../web/parts/format.ts";

/** The figures of the choice among several answers. */
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

/** The operator's limits on what learning may change. */
interface Holds {
  readonly mode: "off" | "observe" | "on";
  readonly hold: { readonly kind: "frozen" | "pinned" } | null;
}

/** Says how well what was learned chooses among several answers, by what evidence, and what follows from that. */
export function selectorWords({ rewards, isProven, accuracy }: SelectorFigures, holds: Holds): string {
  const learned =
    `Learned from ${count(rewards, "reward", "rewards")} of chosen answers and of answers that people compared ` +
    "them with.";
  return `${learned} ${measured(accuracy)} ${consequence(isProven, holds)}`;
}

function measured({ basis, observations, value, low, high }: SelectorFigures["accuracy"]): string {
  if (observations === 0) return "Its accuracy is not measured yet: no randomly chosen answer has feedback.";
  const seen =
    basis === "pairs"
      ? `${count(observations, "pair", "pairs")} with feedback on both`
      : count(observations, "randomly chosen answer", "randomly chosen answers");
  return (
    `It picks the better of two answers in ${formatPercent(value)} of cases (${formatPercent(low)} to ` +
    `${formatPercent(high)}), over ${seen}.`
  );
}

function consequence(isProven: boolean, { mode, hold }: Holds): string {
  if (!isProven) return "It is not proven yet: it needs 20 of these and a lower end of 75%. The built-in rules choose.";
  if (mode !== "on") return "It would choose if learning were on.";
  return hold?.kind === "frozen" ? "It would choose if the workload were not frozen." : "It chooses.";
}

function count(number: number, one: string, many: string): string {
  const whole = Math.round(number);
  return `${whole.toLocaleString("en-US")} ${whole === 1 ? one : many}`;
}
