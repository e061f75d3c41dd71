import { Text } from "@mantine/core";
import { formatPercent } from "../../parts/format.ts";

/** The direction in which a figure gets better; calls and tokens are neither good nor bad. */
export type Better = "more" | "less" | "neither";

interface Props {
  readonly now: number | null;
  readonly before: number | null;
  readonly better: Better;
}

/** Below this, nothing changed that is worth a word. */
const SAME = 0.005;

/**
 * Says how a figure changed against the period before, in words, an arrow, and a colour where the change is good or
 * bad.
 */
export function Change({ now, before, better }: Props) {
  if (now === null || before === null) return <>no earlier data</>;
  if (before === 0) return <>{now === 0 ? "no change" : "none before"}</>;
  const change = (now - before) / Math.abs(before);
  if (Math.abs(change) < SAME) return <>no change</>;
  const isGood = better === "more" ? change > 0 : change < 0;
  const color = better === "neither" ? undefined : isGood ? "var(--attune-good)" : "var(--attune-bad)";
  return (
    <Text span inherit fw={500} {...(color === undefined ? {} : { c: color })}>
      <span aria-hidden>{change > 0 ? "▲" : "▼"}</span> {formatPercent(Math.abs(change))} {change > 0 ? "more" : "less"}
    </Text>
  );
}
