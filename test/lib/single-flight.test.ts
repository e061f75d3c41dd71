import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { singleFlight } from "../../src/lib/single-flight.ts";

function setUp() {
  const making: PromiseWithResolvers<string>[] = [];
  const ask = singleFlight(() => {
    const made = Promise.withResolvers<string>();
    making.push(made);
    return made.promise;
  });
  return { making, ask };
}

describe("singleFlight()", () => {
  it("makes one at a time, and the next once for all who asked meanwhile", async () => {
    const { making, ask } = setUp();
    const first = [ask(), ask()];
    await turn();
    expect(making).toHaveLength(1);
    const later = Array.from({ length: 100 }, () => ask());
    await turn();
    expect(making).toHaveLength(1);
    making[0]?.resolve("first");
    expect(await Promise.all(first)).toEqual(["first", "first"]);
    await turn();
    await turn();
    expect(making).toHaveLength(2);
    making[1]?.resolve("second");
    expect(new Set(await Promise.all(later))).toEqual(new Set(["second"]));
  });

  it("makes no more than one in an iteration of the event loop", async () => {
    const { making, ask } = setUp();
    const first = ask();
    await Promise.resolve();
    making[0]?.resolve("first");
    await first;
    const second = ask();
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    expect(making).toHaveLength(1);
    await turn();
    await turn();
    making[1]?.resolve("second");
    expect(await second).toBe("second");
  });

  it("tells those who shared it of a failure, and goes on", async () => {
    const { making, ask } = setUp();
    const failed = ask();
    await turn();
    const next = ask();
    making[0]?.reject(new Error("no"));
    await expect(failed).rejects.toThrow("no");
    await turn();
    await turn();
    making[1]?.resolve("second");
    expect(await next).toBe("second");
  });
});
