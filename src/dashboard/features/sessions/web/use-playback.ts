import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useMemo, useState } from "react";
import { layOut, type PlayedCall, placeAt, playedLength, SILENCE_MS, type Stretch, timeAt } from "./playback.ts";

/** Milliseconds between two pictures; for people who want little motion they jump. */
const TICK_MS = 50;
const CALM_TICK_MS = 1000;
/** The time that a run takes to play at the speed `fit`, if it is longer. */
const FIT_MS = 30_000;

/** Speeds by what they are called in the page. */
export const SPEEDS = ["fit", "1", "10", "60"] as const;
export type Speed = (typeof SPEEDS)[number];

/** A run that is played, or was. */
export interface Playback {
  /** The time of the run that is shown; undefined before it is played for the first time. */
  readonly timeMs: number | undefined;
  /** Milliseconds that it has played at its own pace, and plays in all. */
  readonly placeMs: number;
  readonly lengthMs: number;
  readonly stretches: readonly Stretch[];
  /** Milliseconds that play in a second. */
  readonly factor: number;
  /** True where silences are shortened. */
  readonly isShortened: boolean;
  /** True while it plays, or waits at the end for more of a run that goes on. */
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  /** Plays on, or from the beginning where it has come to the end. */
  readonly play: () => void;
  readonly pause: () => void;
  /** Stands still at a place, or at a time of the run. */
  readonly moveTo: (placeMs: number) => void;
  readonly moveToTime: (timeMs: number) => void;
}

/** Plays a run: moves its time on with the clock until it is at the end, and further while the run grows. */
export function usePlayback(calls: readonly PlayedCall[], isOngoing: boolean): Playback {
  const stretches = useMemo(() => layOut(calls), [calls]);
  const lengthMs = useMemo(() => playedLength(stretches), [stretches]);
  const [timeMs, setTimeMs] = useState<number>();
  const [isStarted, setIsStarted] = useState(false);
  const [speed, setSpeed] = useState<Speed>("fit");
  const tickMs = useReducedMotion() ? CALM_TICK_MS : TICK_MS;
  const factor = speed === "fit" ? Math.max(1, lengthMs / FIT_MS) : Number(speed);
  const placeMs = timeMs === undefined ? 0 : placeAt(stretches, timeMs);
  const isAtEnd = placeMs >= lengthMs;
  const isMoving = isStarted && !isAtEnd;
  useEffect(() => {
    if (!isMoving) return;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      const stepMs = (nowMs - lastMs) * factor;
      lastMs = nowMs;
      setTimeMs((time) => timeAt(stretches, (time === undefined ? 0 : placeAt(stretches, time)) + stepMs));
    }, tickMs);
    return () => clearInterval(timer);
  }, [isMoving, factor, stretches, tickMs]);
  const moveToTime = (time: number | undefined) => {
    setIsStarted(false);
    setTimeMs(time);
  };
  return {
    timeMs,
    placeMs,
    lengthMs,
    stretches,
    factor,
    speed,
    setSpeed,
    moveToTime,
    isShortened: stretches.some((stretch) => stretch.lengthMs > SILENCE_MS && stretch.playedMs === SILENCE_MS),
    isPlaying: isMoving || (isStarted && isOngoing),
    play: () => {
      if (timeMs === undefined || isAtEnd) setTimeMs(timeAt(stretches, 0));
      setIsStarted(true);
    },
    pause: () => setIsStarted(false),
    moveTo: (place) => moveToTime(timeAt(stretches, place)),
  };
}
