import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { PendingIndex } from "../../../../src/store/write/spool/pending-index.ts";

const facts = { projectId: "p", model: "m", workload: "w" };
const place = (segment: number, offset: number) => ({ segment, offset, length: 10 });
const inMemory = (sequence: number) => ({ sequence, payload: Buffer.from("x") });
const names = ["a", "b", "c", "d", "e"] as const;
const ids = Object.fromEntries(names.map((name) => [name, newId()])) as Record<(typeof names)[number], string>;

/** More than a block has. */
const MANY = 10_000;

describe("PendingIndex", () => {
  it("keeps of the facts only what is asked for", () => {
    const index = new PendingIndex();
    const whole = { ...facts, upstream: "u" };
    index.addSpooled(ids.a, whole, place(1, 0));
    index.addDirect(ids.b, whole, inMemory(1));
    expect(index.find(ids.a)).toEqual({ ...facts, place: place(1, 0) });
    expect(index.find(ids.b)).toEqual({ ...facts, place: inMemory(1) });
    expect(index.find(ids.c)).toBeUndefined();
    expect(index.find("no id")).toBeUndefined();
    expect(index.size).toBe(2);
  });

  it("forgets what is written, and nothing else", () => {
    const index = new PendingIndex();
    index.addSpooled(ids.a, facts, place(1, 0));
    index.addSpooled(ids.b, facts, place(1, 10));
    index.addSpooled(ids.c, facts, place(2, 0));
    index.addDirect(ids.d, facts, inMemory(1));
    index.addDirect(ids.e, facts, inMemory(2));
    const left = () => names.filter((name) => index.find(ids[name]) !== undefined).join("");
    index.settle({ segment: 1, offset: 9 }, 0);
    expect(left()).toBe("abcde");
    index.settle({ segment: 1, offset: 10 }, 1);
    expect(left()).toBe("bce");
    index.settle({ segment: 2, offset: 0 }, 1);
    expect(left()).toBe("ce");
    index.settle({ segment: 2, offset: 10 }, 2);
    expect(left()).toBe("");
    expect(index.size).toBe(0);
    index.addSpooled(ids.a, facts, place(3, 0));
    expect(left()).toBe("a");
  });

  it("keeps the later place of an inference that is offered twice", () => {
    const index = new PendingIndex();
    index.addSpooled(ids.a, facts, place(1, 0));
    index.addSpooled(ids.b, facts, place(1, 10));
    index.addSpooled(ids.a, facts, place(1, 20));
    index.settle({ segment: 1, offset: 20 }, 0);
    expect(index.find(ids.a)).toEqual({ ...facts, place: place(1, 20) });
    expect(index.find(ids.b)).toBeUndefined();
  });

  it("tells ids apart that end alike", () => {
    const index = new PendingIndex();
    const alike = Array.from({ length: 50 }, (_, at) => `${newId().slice(0, 28)}00000${at % 2}0${at % 5}`);
    const distinct = [...new Set(alike)];
    for (const [at, id] of distinct.entries()) index.addSpooled(id, { ...facts, model: String(at) }, place(1, at * 10));
    expect(distinct.map((id) => index.find(id)?.model)).toEqual(distinct.map((_, at) => String(at)));
  });

  it("takes far less than 100 bytes for each of many, finds all of them, and gives the memory back", () => {
    const index = new PendingIndex();
    const many = Array.from({ length: MANY }, newId);
    const before = process.memoryUsage().arrayBuffers;
    for (const [at, id] of many.entries()) index.addSpooled(id, { ...facts, model: `m${at % 7}` }, place(1, at * 10));
    const taken = process.memoryUsage().arrayBuffers - before;
    expect(taken).toBeLessThan(50 * MANY);
    expect(index.size).toBe(MANY);
    const isRight = (id: string, at: number) => {
      const found = index.find(id);
      return found?.model === `m${at % 7}` && "offset" in found.place && found.place.offset === at * 10;
    };
    expect(many.every(isRight)).toBe(true);
    index.settle({ segment: 1, offset: (MANY - 3) * 10 }, 0);
    expect(many.filter((id) => index.find(id) !== undefined)).toEqual(many.slice(-3));
    expect(index.size).toBe(3);
  });
});
