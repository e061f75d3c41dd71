import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";

/** Milliseconds between two pictures; for people who want little motion they jump. */
const TICK_MS = 100;
const CALM_TICK_MS = 1000;
/** The time that a run takes to play at the speed `fit`, if it is longer. */
const FIT_MS = 30_000;

/** Speeds by what they are called in the page. */
export const SPEEDS = ["fit", "1", "10", "60"] as const;
export type Speed = (typeof SPEEDS)[number];

/** A run that is played, or was. */
export interface Playback {
  /** Milliseconds that it has played, of its length; undefined before it is played for the first time. */
  readonly placeMs: number | undefined;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  /** Plays on, or from the beginning where it has come to the end. */
  readonly play: () => void;
  readonly pause: () => void;
  /** Stands still there. */
  readonly moveTo: (placeMs: number) => void;
}

/** Plays something of a length: moves a place in it on with the clock until it is at the end. */
export function usePlayback(lengthMs: number): Playback {
  const [placeMs, setPlaceMs] = useState<number>();
  const [isStarted, setIsStarted] = useState(false);
  const [speed, setSpeed] = useState<Speed>("fit");
  const tickMs = useReducedMotion() ? CALM_TICK_MS : TICK_MS;
  const factor = speed === "fit" ? Math.max(1, lengthMs / FIT_MS) : Number(speed);
  const isPlaying = isStarted && (placeMs ?? 0) < lengthMs;
  useEffect(() => {
    if (!isPlaying) return;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      const stepMs = (nowMs - lastMs) * factor;
      lastMs = nowMs;
      setPlaceMs((place = 0) => Math.min(lengthMs, place + stepMs));
    }, tickMs);
    return () => clearInterval(timer);
  }, [isPlaying, factor, lengthMs, tickMs]);
  return {
    placeMs,
    isPlaying,
    speed,
    setSpeed,
    play: () => {
      setPlaceMs((place = 0) => (place < lengthMs ? place : 0));
      setIsStarted(true);
    },
    pause: () => setIsStarted(false),
    moveTo: (place) => {
      setIsStarted(false);
      setPlaceMs(place);
    },
  };
}
