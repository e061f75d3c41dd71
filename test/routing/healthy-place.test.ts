import { describe, expect, it } from "vitest";
import type { PlaceHealth } from "../../src/routing/health/health-tracker.ts";
import { healthyPlace } from "../../src/routing/healthy-place.ts";
import { stubModel, stubUpstream } from "../support/stub-upstream.ts";

const model = {
  ...stubModel,
  deployments: ["first", "second", "third"].map((upstream) => ({ upstream, model: "real" })),
};
const upstreams = new Map(model.deployments.map(({ upstream }) => [upstream, stubUpstream(upstream, [])]));

/** Returns the upstream that is asked where some have another health. */
function placeWith(
  changes: Readonly<Record<string, Partial<PlaceHealth>>>,
  options: Partial<Parameters<typeof healthyPlace>[1]> = {},
): string | undefined {
  const well = { isOut: false, headroom: 1 } as PlaceHealth;
  const health = { healthOf: ({ upstream }: { upstream: string }) => ({ ...well, ...changes[upstream] }) };
  return healthyPlace(model, { upstreams, health, ...options })?.upstream.name;
}

describe("healthyPlace()", () => {
  it("is the first one", () => {
    expect(placeWith({})).toBe("first");
  });

  it("is none that has failed of late, or has little left of its rate limits", () => {
    expect(placeWith({ first: { isOut: true }, second: { headroom: 0.1 } })).toBe("third");
  });

  it("is none that serves another model, and none of an upstream that is not there", () => {
    const isDifferent = (_: string, { upstream }: { upstream: string }): boolean => upstream === "first";
    const others = new Map([...upstreams].filter(([name]) => name !== "second"));
    expect(placeWith({}, { isDifferent, upstreams: others })).toBe("third");
  });

  it("is undefined where none may be asked", () => {
    expect(placeWith({ first: { isOut: true }, second: { isOut: true }, third: { headroom: 0 } })).toBeUndefined();
  });
});
