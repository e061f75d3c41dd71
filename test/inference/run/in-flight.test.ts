import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endingError, InFlight, type InFlightFacts } from "../../../src/inference/run/in-flight.ts";

const factsOf = (model: string): InFlightFacts => ({ projectId: "p", model, workload: "" });

describe("InFlight", () => {
  it("finds what has begun and not ended, in whatever order they end", () => {
    const id = fc.integer({ min: 0, max: 6 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), id), { maxLength: 60 }), (steps) => {
        const [inFlight, model] = [new InFlight(), new Map<string, InFlightFacts>()];
        for (const [begins, id] of steps) {
          if (begins && !model.has(id)) {
            inFlight.add(id, factsOf(`model ${id}`));
            model.set(id, factsOf(`model ${id}`));
          } else if (!begins) {
            inFlight.delete(id);
            model.delete(id);
          }
          expect(inFlight.size).toBe(model.size);
          for (let at = 0; at <= 6; at++) expect(inFlight.find(`${at}`)).toEqual(model.get(`${at}`));
        }
      }),
    );
  });

  it("breaks each off once, also where one ends others at once", () => {
    const inFlight = new InFlight();
    const broken: string[] = [];
    const breakOff = (id: string, ends: readonly string[]) => () => {
      broken.push(id);
      for (const ended of ends) inFlight.delete(ended);
    };
    inFlight.add("a", factsOf("m"), breakOff("a", ["a", "c"]));
    inFlight.add("b", factsOf("m"), breakOff("b", []));
    inFlight.add("c", factsOf("m"), breakOff("c", ["c"]));
    inFlight.add("d", factsOf("m"), breakOff("d", ["d"]));
    inFlight.add("e", factsOf("m"));
    inFlight.breakOff(endingError());
    expect(broken).toEqual(["a", "b", "d"]);
    expect(["a", "b", "c", "d", "e"].filter((id) => inFlight.find(id) !== undefined)).toEqual(["b", "e"]);
  });

  it("wakes those who wait for one when it ends, and nobody else", async () => {
    const inFlight = new InFlight();
    for (const id of ["a", "b", "c"]) inFlight.add(id, factsOf(id));
    const woken: string[] = [];
    const waits = ["a", "c", "c", "unknown"].map((id) => inFlight.ended(id, 60_000).then(() => woken.push(id)));
    inFlight.delete("a");
    await waits[0];
    await waits[3];
    expect(woken.toSorted()).toEqual(["a", "unknown"]);
    inFlight.delete("c");
    await Promise.all(waits);
    expect(woken.toSorted()).toEqual(["a", "c", "c", "unknown"]);
    expect(inFlight.size).toBe(1);
  });

  it("waits until none is under way", async () => {
    const inFlight = new InFlight();
    for (const id of ["a", "b", "c"]) inFlight.add(id, factsOf(id));
    const all = inFlight.allEnded(60_000);
    for (const id of ["b", "a", "c"]) {
      expect(inFlight.size).toBeGreaterThan(0);
      inFlight.delete(id);
      await Promise.resolve();
    }
    await all;
    expect(inFlight.size).toBe(0);
  });

  it("breaks off what has not ended by the deadline", async () => {
    const inFlight = new InFlight();
    const error = endingError();
    const broken: unknown[] = [];
    inFlight.add("a", factsOf("m"), (why) => {
      broken.push(why);
      inFlight.delete("a");
    });
    await inFlight.end(performance.now(), error);
    expect(broken).toEqual([error]);
  });
});
