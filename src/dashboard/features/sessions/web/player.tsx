import { Button, Group, NativeSelect, Slider, Text, VisuallyHidden } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useMemo } from "react";
import { formatClock, formatDuration, formatNumber, formatShort, formatShortCost } from "../../../web/parts/format.ts";
import { useKeys } from "../../history/web/use-keys.ts";
import { latestAt, type PlayedCall, placeAt, SILENCE_MS, type Stretch, totalsAt } from "./playback.ts";
import { type Playback, SPEEDS, type Speed } from "./use-playback.ts";

interface Props {
  /** All calls of the run, in order of time. */
  readonly calls: readonly PlayedCall[];
  readonly playback: Playback;
  /** True where calls were made so lately that others may be under way. */
  readonly isOngoing: boolean;
  /** Leads back to the step that plays; undefined while it is in sight. */
  readonly onFollow: (() => void) | undefined;
}

const SPEED_TEXTS: Readonly<Record<Speed, string>> = {
  fit: "in half a minute",
  "1": "at its own pace",
  "10": "10 times as fast",
  "60": "60 times as fast",
};

/** Plays the steps of a run in time: what had begun, what was over, and what it had used until then. */
export function Player({ calls, playback, isOngoing, onFollow }: Props) {
  const { timeMs, placeMs, lengthMs, isPlaying, speed } = playback;
  const step = useStepKeys(calls, playback);
  const place = describePlace(calls, timeMs);
  const onArrow = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    step(by);
  };
  return (
    <section className="attune-card attune-player" aria-label="Play the run">
      <Group gap="sm" className="attune-player-controls">
        <Button
          onClick={isPlaying ? playback.pause : playback.play}
          leftSection={isPlaying ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          w={108}
          flex="none"
        >
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <div className="attune-player-time" onKeyDownCapture={onArrow}>
          <Lanes calls={calls} stretches={playback.stretches} lengthMs={lengthMs} />
          <Slider
            value={placeMs}
            max={lengthMs}
            step={1}
            size="xs"
            onChange={playback.moveTo}
            label={null}
            thumbLabel="Place in the run"
            thumbValueText={place ?? "Not played yet"}
          />
        </div>
        <NativeSelect
          aria-label="Speed"
          value={speed}
          data={SPEEDS.map((value) => ({ value, label: SPEED_TEXTS[value] }))}
          onChange={({ currentTarget }) =>
            playback.setSpeed(SPEEDS.find((each) => each === currentTarget.value) ?? "fit")
          }
          flex="none"
        />
      </Group>
      <Group justify="space-between" gap="xs" mt={6}>
        <Text fz="xs" data-testid="played">
          {place ?? `${formatNumber(calls.length)} steps. ${notesOn(playback, isOngoing)}`}
        </Text>
        {onFollow !== undefined && (
          <Button variant="default" size="compact-xs" onClick={onFollow}>
            Back to the step that plays
          </Button>
        )}
      </Group>
      {timeMs !== undefined && (
        <Text fz="xs" c="dimmed">
          {describeTotals(calls, timeMs)} {notesOn(playback, isOngoing)}
        </Text>
      )}
      {/* While it plays, a reader would never come to an end. */}
      <VisuallyHidden role="status">
        {isPlaying ? "Plays" : timeMs !== undefined && `Position: ${place}`}
      </VisuallyHidden>
    </section>
  );
}

const ARROWS: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

function describePlace(calls: readonly PlayedCall[], timeMs: number | undefined): string | undefined {
  const [first, latest] = [calls[0], timeMs === undefined ? undefined : latestAt(calls, timeMs)];
  if (first === undefined || latest === undefined || timeMs === undefined) return undefined;
  const endMs = Math.max(...calls.map(({ startMs, latencyMs }) => startMs + latencyMs));
  return (
    `Step ${formatNumber(latest.number)} of ${formatNumber(calls.length)}, ` +
    `${formatDuration(whole(timeMs - first.startMs))} of ${formatDuration(whole(endMs - first.startMs))}, at ` +
    formatClock(timeMs)
  );
}

/** Milliseconds would make a text that nobody can read while it plays. */
function whole(ms: number): number {
  return Math.round(ms / 1000) * 1000;
}

function describeTotals(calls: readonly PlayedCall[], timeMs: number): string {
  const { underWay, failed, tokens, costNanos } = totalsAt(calls, timeMs);
  const parts = [
    `${formatNumber(underWay)} in progress`,
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    `${formatShort(tokens)} tokens`,
    formatShortCost(costNanos),
  ];
  return `${parts.join(", ")}.`;
}

function notesOn({ isShortened }: Playback, isOngoing: boolean): string {
  const notes = [
    ...(isShortened ? [`Silences play for ${SILENCE_MS / 1000} s at most.`] : []),
    ...(isOngoing ? ["It may go on: a call is added when it has ended."] : []),
  ];
  return notes.join(" ");
}

/** Has the space bar play and pause, and arrows go to the call before and after; returns the step by a number. */
function useStepKeys(calls: readonly PlayedCall[], playback: Playback): (by: 1 | -1) => void {
  const { timeMs, isPlaying, play, pause, moveToTime } = playback;
  const step = (by: 1 | -1) => {
    const latest = timeMs === undefined ? undefined : latestAt(calls, timeMs);
    const at = latest === undefined ? 0 : calls.indexOf(latest) + by;
    const next = calls[Math.min(calls.length - 1, Math.max(0, at))];
    if (next !== undefined) moveToTime(next.startMs);
  };
  useKeys({ " ": isPlaying ? pause : play, ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  return step;
}

/** Lines of subagents that are drawn apart; deeper ones share the last. */
const MOST_LANES = 4;
const LANE = 10;
const BAR = 7;
/** Units from the beginning to the end. */
const WIDTH = 1000;

interface lanesProps {
  readonly calls: readonly PlayedCall[];
  readonly stretches: readonly Stretch[];
  readonly lengthMs: number;
}

/** Draws all calls of a run above the place of playing: subagents below the sessions that began them. */
const Lanes = memo(function Lanes({ calls, stretches, lengthMs }: lanesProps) {
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

function draw({ calls, stretches, lengthMs }: lanesProps) {
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
