import { Badge } from "@mantine/core";
import { STANDINGS, standingText } from "./standing.ts";
import type { LearnedRow } from "./types.ts";

const COLORS = { good: "var(--attune-good)", bad: "var(--attune-bad)", gray: "gray", indigo: "indigo" } as const;

/** The standing of a workload. */
export function StandingBadge({ standing, mode }: Pick<LearnedRow, "standing" | "mode">) {
  const { label, color } = STANDINGS[standing];
  return (
    <Badge
      variant={color === "gray" ? "default" : "outline"}
      color={COLORS[color]}
      size="sm"
      miw="max-content"
      title={standingText({ standing, mode })}
    >
      {label}
    </Badge>
  );
}
