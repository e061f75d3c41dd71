import type { Engine } from "../types/store.ts";

/** A time as the engine keeps it. */
export function timeIn(engine: Engine, ms: number): string | number {
  return engine === "postgres" ? new Date(ms).toISOString() : ms;
}

/** Puts the engine's own marks in the place of question marks. */
export function sql(engine: Engine, text: string): string {
  let count = 0;
  return engine === "postgres" ? text.replaceAll("?", () => `$${++count}`) : text;
}
