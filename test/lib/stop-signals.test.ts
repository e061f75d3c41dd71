import { describe, expect, it } from "vitest";
import { createStop } from "../../src/lib/stop-signals.ts";

function create() {
  const done: string[] = [];
  const time = { now: 1000 };
  const stop = createStop({ end: () => done.push("end"), endNow: () => done.push("end now") }, () => time.now);
  return { stop, done, time };
}

describe("createStop()", () => {
  it("ends in order at the first signal, and at once at a second", () => {
    const { stop, done, time } = create();
    stop();
    expect(done).toEqual(["end"]);
    time.now += 500;
    stop();
    expect(done).toEqual(["end", "end now"]);
  });

  it("takes what a terminal and other processes send of one Ctrl-C for one signal", () => {
    const { stop, done, time } = create();
    stop();
    stop();
    time.now += 499;
    stop();
    expect(done).toEqual(["end"]);
  });
});
