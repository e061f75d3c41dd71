import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callSdk, type Format } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";

/** The standard price is 3 and 15 USD a million, and priority twice as much. */
let fixture: SdkFixture;

beforeAll(async () => {
  const tiers = "tiers: { Priority: { multiple: 2 }, fast: { multiple: 6 } }";
  fixture = await startSdkFixture({
    change: (yaml) => yaml.replaceAll("cacheWrite1h: 6", `cacheWrite1h: 6, ${tiers}`),
  });
});

afterAll(() => fixture.close());

let calls = 0;

async function costOf(format: Format, members: Record<string, unknown>, stream: boolean) {
  calls += 1;
  fixture.script(format, "text");
  const client = { headers: { "attune-session": `run-${calls}` } };
  await callSdk(fixture, { format, model: MODEL[format], members, stream, client });
  const answer = await fetch(`${fixture.service.url}/v1/inferences?session=run-${calls}`, {
    headers: { authorization: `Bearer ${fixture.service.key}` },
  });
  const { data } = (await answer.json()) as { data: { cost_usd: number; cost_gaps: unknown }[] };
  return { usd: data[0]?.cost_usd ?? 0, gaps: data[0]?.cost_gaps };
}

describe("terms that a call asks for and its answer does not name", () => {
  it.each([
    ["chat", { service_tier: "priority" }, 2],
    ["chat", { service_tier: "auto" }, 1],
    ["messages", { speed: "fast" }, 6],
  ] as const)("price a call of %s with %j at %d times, whole and streamed", async (format, members, times) => {
    for (const stream of [false, true]) {
      const plain = await costOf(format, {}, stream);
      const asked = await costOf(format, members, stream);
      expect(asked.usd / plain.usd).toBeCloseTo(times, 5);
      expect(asked.gaps).toEqual([]);
    }
  });

  it("are a gap where they have no price", async () => {
    expect((await costOf("chat", { service_tier: "flex" }, false)).gaps).toEqual(['service tier "flex"']);
  });
});
