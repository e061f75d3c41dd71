import { Text } from "@mantine/core";
import { compareShares, type Part } from "./compare-shares.ts";

interface Props {
  readonly now: number | null;
  readonly before: number | null;
}

/** Below this, nothing changed that is worth a word. */
const SAME = 0.005;
/** Always one decimal: changes stand below each other. */
const percent = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Says how a figure changed against the period before, in words and an arrow. */
export function Change({ now, before }: Props) {
  if (now === null || before === null) return <>no earlier data</>;
  if (before === 0) return <>{now === 0 ? "no change" : "none before"}</>;
  const change = (now - before) / Math.abs(before);
  if (Math.abs(change) < SAME) return <>no change</>;
  return (
    <Text span inherit fw={500}>
      <Arrow isUp={change > 0} /> {percent.format(Math.abs(change))} {change > 0 ? "more" : "less"}
    </Text>
  );
}

interface ShareProps {
  readonly now: Part;
  readonly before: Part;
}

/** Says by how many points a share of bad calls changed; colored only where chance would hardly do that. */
export function ShareChange({ now, before }: ShareProps) {
  const { points, isSignificant } = compareShares(now, before);
  if (points === undefined) return <>no earlier data</>;
  const text = Math.abs(points).toFixed(1);
  if (text === "0.0") return <>no change</>;
  const color = points > 0 ? "var(--attune-bad)" : "var(--attune-good)";
  return (
    <Text span inherit fw={500} {...(isSignificant && { c: color })}>
      <Arrow isUp={points > 0} /> {text} {text === "1.0" ? "point" : "points"}
    </Text>
  );
}

function Arrow({ isUp }: { readonly isUp: boolean }) {
  return <span aria-hidden>{isUp ? "▲" : "▼"}</span>;
}
