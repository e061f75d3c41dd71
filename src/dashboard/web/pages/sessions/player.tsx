import { Button, Group, NativeSelect, Slider, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { formatDuration, formatNumber, formatShort, formatShortCost } from "../../parts/format.ts";
import { SILENCE_MS, totalsAt } from "./playback.ts";
import { type Playback, SPEEDS, type Speed } from "./use-playback.ts";
import type { RunCall } from "./use-session-run.ts";

interface Props {
  readonly calls: readonly RunCall[];
  readonly playback: Playback;
  /** Milliseconds that the calls play at their own pace. */
  readonly lengthMs: number;
  /** The time of the run that is shown; undefined before it is played. */
  readonly timeMs: number | undefined;
  /** True where silences were shortened. */
  readonly isShortened: boolean;
  /** True where the run has steps on other pages. */
  readonly isPart: boolean;
}

const SPEED_TEXTS: Readonly<Record<Speed, string>> = {
  fit: "in half a minute",
  "1": "at its own pace",
  "10": "10 times as fast",
  "60": "60 times as fast",
};

/** Plays the steps of a run in time: what had begun, what was over, and what it had used until then. */
export function Player({ calls, playback, lengthMs, timeMs, isShortened, isPart }: Props) {
  const { placeMs = 0, isPlaying, speed } = playback;
  const totals = timeMs === undefined ? undefined : totalsAt(calls, timeMs);
  const notes = [
    ...(isPart ? ["The steps of this page play."] : []),
    ...(isShortened ? [`Silences play for ${SILENCE_MS / 1000} s at most.`] : []),
  ];
  return (
    <section className="attune-card attune-player" aria-label="Play the run">
      <Group gap="sm">
        <Button
          variant="default"
          onClick={isPlaying ? playback.pause : playback.play}
          leftSection={isPlaying ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          w={108}
          flex="none"
        >
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <Slider
          flex="1 1 11rem"
          value={placeMs}
          max={lengthMs}
          step={lengthMs / 200}
          onChange={playback.moveTo}
          label={(value) => formatDuration(value)}
          thumbLabel="Place in the run"
        />
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
      <Text fz="xs" c="dimmed" mt={6} data-testid="played">
        {totals !== undefined &&
          `${formatNumber(totals.calls)} of ${formatNumber(calls.length)} calls begun, ` +
            `${formatShort(totals.tokens)} tokens, ${formatShortCost(totals.costNanos)}. `}
        {notes.join(" ")}
      </Text>
    </section>
  );
}
