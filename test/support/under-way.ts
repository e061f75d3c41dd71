import { expect } from "vitest";
import { waitFor } from "./wait.ts";

/** Resolves once so many inferences are under way in a service: those that may share a call have joined it by then. */
export async function untilUnderWay({ adminUrl }: { readonly adminUrl: string }, count: number): Promise<void> {
  await waitFor(async () => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(Number(/^attune_inferences_in_flight (\d+)$/m.exec(text)?.[1])).toBe(count);
  });
}
