import { HEIGHT, sparklinePath, WIDTH } from "./sparkline-path.ts";

interface Props {
  /** One for each step; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

/**
 * Draws how a figure ran, without axes; for fewer than two values only its place, so that what stands below is level
 * with that of others. It is hidden from screen readers.
 */
export function Sparkline({ values }: Props) {
  const path = sparklinePath(values);
  if (path === "") return <div style={{ height: HEIGHT }} />;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      style={{ display: "block", width: "100%", height: HEIGHT, color: "var(--attune-series-0)" }}
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
