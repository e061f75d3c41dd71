import "../figures/series.css";
import { Group, Text, UnstyledButton } from "@mantine/core";
import type { Series } from "./chart.tsx";
import { repeatedColors } from "./repeated-colors.ts";

interface Props {
  readonly series: readonly Series[];
  /** Name of the only series that is shown; all are without it. */
  readonly isolated: string | undefined;
  readonly onIsolate: (name: string | undefined) => void;
}

/** Names series with their colors. A click on one shows it alone, and another one shows all again. */
export function Legend({ series, isolated, onIsolate }: Props) {
  const repeated = repeatedColors(series);
  return (
    <Group component="ul" gap="0 xs" m={0} mt="xs" p={0} aria-label="Legend" style={{ listStyle: "none" }}>
      {series.map(({ name, label, color }) => (
        <li key={name}>
          <UnstyledButton
            className="attune-legend-item"
            aria-pressed={isolated === name}
            data-off={(isolated !== undefined && isolated !== name) || undefined}
            title={isolated === name ? "Show all" : `Show only ${label}`}
            onClick={() => onIsolate(isolated === name ? undefined : name)}
          >
            <span
              className="attune-dot"
              style={repeated.has(name) ? { border: `2px dotted ${color}` } : { background: color }}
              aria-hidden
            />
            <Text span fz="sm">
              {label}
            </Text>
          </UnstyledButton>
        </li>
      ))}
    </Group>
  );
}

/** Returns the series that a legend leaves; all of them where the isolated one is not among them. */
export function shownSeries<Shown extends Series>(series: readonly Shown[], isolated: string | undefined): Shown[] {
  const only = series.filter(({ name }) => name === isolated);
  return only.length > 0 ? only : [...series];
}
