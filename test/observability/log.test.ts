import { expect, it } from "vitest";
import { createTimestamp } from "../../src/observability/log.ts";

it("writes times as dates do, also where the clock goes back", () => {
  const times = [1_795_773_600_000, 1_795_773_600_007, 1_795_773_600_999, 1_795_773_661_050, 1_795_773_600_100, 0];
  let position = 0;
  const timestamp = createTimestamp(() => times[position] ?? Number.NaN);
  for (const time of times) {
    expect(timestamp()).toBe(`,"time":"${new Date(time).toISOString()}"`);
    position += 1;
  }
});
