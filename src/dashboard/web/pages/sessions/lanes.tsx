import { memo, useMemo } from "react";
import { type PlayedCall, placeAt, type Stretch } from "./playback.ts";

/** Lines of subagents that are drawn apart; deeper ones share the last. */
const MOST_LANES = 4;
const LANE = 10;
const BAR = 7;
/** Units from the beginning to the end. */
const WIDTH = 1000;

interface Props {
  readonly calls: readonly PlayedCall[];
  readonly stretches: readonly Stretch[];
  readonly lengthMs: number;
}

/** Draws all calls of a run above the place of playing: subagents below the sessions that began them. */
export const Lanes = memo(function Lanes({ calls, stretches, lengthMs }: Props) {
  const { completed, failed, lanes } = useMemo(
    () => draw({ calls, stretches, lengthMs }),
    [calls, stretches, lengthMs],
  );
  return (
    <svg
      className="attune-lanes"
      viewBox={`0 0 ${WIDTH} ${lanes * LANE}`}
      height={lanes * LANE}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={completed} fill="var(--attune-series-0)" />
      <path d={failed} fill="var(--attune-bad)" />
    </svg>
  );
});

function draw({ calls, stretches, lengthMs }: Props) {
  const paths = { completed: "", failed: "" };
  let lanes = 1;
  for (const { depth, startMs, latencyMs, isFailed } of calls) {
    const lane = Math.min(depth, MOST_LANES - 1);
    lanes = Math.max(lanes, lane + 1);
    const [from, to] = [startMs, startMs + latencyMs].map((ms) => (WIDTH * placeAt(stretches, ms)) / lengthMs);
    if (from === undefined || to === undefined) continue;
    // A space between one call and the next, and a width that is seen.
    const width = Math.max(1, to - from - 0.6);
    paths[isFailed ? "failed" : "completed"] +=
      `M${from.toFixed(1)} ${lane * LANE}h${width.toFixed(1)}v${BAR}h-${width.toFixed(1)}z`;
  }
  return { ...paths, lanes };
}
