import { Box, Group, Text } from "@mantine/core";
import { nameText } from "../../../web/parts/name-text.ts";
import "./models.css";
import { findPosition, roundScale, type Scale } from "./scale.ts";
import type { ComparedMetric } from "./types.ts";

interface Props {
  readonly metric: ComparedMetric;
  readonly colors: ReadonlyMap<string, string>;
  readonly format: (value: number) => string;
}

/** Means as dots with their 95% confidence intervals as bars, on one scale. The words beside it say the same. */
export function IntervalPlot({ metric: { means, kind }, colors, format }: Props) {
  const bounds = kind === "boolean" ? { low: 0, high: 1 } : { low: -Infinity, high: Infinity };
  const scale = roundScale(
    means.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]),
    bounds,
  );
  return (
    <Box>
      {means.map(({ model, mean, low, high, n }) => (
        <div key={model} className="attune-plot-row">
          <Group gap={8} wrap="nowrap" miw={0}>
            <span className="attune-dot" style={{ background: colors.get(model) }} aria-hidden />
            <Text fz="sm" truncate title={nameText(model)}>
              {nameText(model)}
            </Text>
          </Group>
          <div className="attune-plot-track" aria-hidden>
            <Lines scale={scale} />
            {low !== null && high !== null && (
              <div
                className="attune-plot-interval"
                style={{
                  background: colors.get(model),
                  left: `${findPosition(low, scale)}%`,
                  width: `${findPosition(high, scale) - findPosition(low, scale)}%`,
                }}
              />
            )}
            <div
              className="attune-plot-mean"
              style={{ background: colors.get(model), left: `${findPosition(mean, scale)}%` }}
            />
          </div>
          <Text fz="sm" className="attune-plot-words">
            <Text span inherit fw={600}>
              {format(mean)}
            </Text>{" "}
            <Text span inherit c="dimmed">
              {low === null || high === null ? "no interval" : `${format(low)} – ${format(high)}`}, n ={" "}
              {n.toLocaleString("en-US")}
            </Text>
          </Text>
        </div>
      ))}
      <Axis scale={scale} format={format} />
    </Box>
  );
}

function Lines({ scale }: { readonly scale: Scale }) {
  return scale.ticks.map((tick) => (
    <div key={tick} className="attune-plot-line" style={{ left: `${findPosition(tick, scale)}%` }} />
  ));
}

function Axis({ scale, format }: { readonly scale: Scale; readonly format: (value: number) => string }) {
  const last = scale.ticks.length - 1;
  const end = (at: number) => (at === 0 ? "first" : at === last ? "last" : undefined);
  return (
    <div className="attune-plot-row" aria-hidden>
      <span className="attune-plot-blank" />
      <Box className="attune-plot-axis" pos="relative" h={20}>
        {scale.ticks.map((tick, at) => (
          <Text
            key={tick}
            className="attune-plot-tick"
            data-end={end(at)}
            fz={11}
            c="dimmed"
            style={{ left: `${findPosition(tick, scale)}%` }}
          >
            {format(tick)}
          </Text>
        ))}
      </Box>
      <span className="attune-plot-blank" />
    </div>
  );
}
