import { vi } from "vitest";
import { PATIENCE } from "./patience.ts";

/** Resolves to what a condition returns once that is true in any way. Throws if it never is. */
export function waitUntil<Value>(condition: () => Value | Promise<Value>) {
  return vi.waitUntil(condition, PATIENCE);
}

/** Resolves to what an assertion returns once it throws nothing. Throws what it threw last. */
export function waitFor<Value>(assertion: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(assertion, PATIENCE);
}
