import { describe, expect, it } from "vitest";
import { PendingIndex } from "../../../src/store/spool/pending-index.ts";

const facts = { projectId: "p", model: "m", workload: "w" };
const place = (segment: number, offset: number) => ({ segment, offset, length: 10 });
const inMemory = (sequence: number) => ({ sequence, payload: Buffer.from("x") });

describe("PendingIndex", () => {
  it("keeps of the facts only what is asked for", () => {
    const index = new PendingIndex();
    const whole = { ...facts, upstream: "u" };
    index.addSpooled("a", whole, place(1, 0));
    index.addDirect("b", whole, inMemory(1));
    expect(index.find("a")).toEqual({ ...facts, place: place(1, 0) });
    expect(index.find("b")).toEqual({ ...facts, place: inMemory(1) });
    expect(index.find("c")).toBeUndefined();
    expect(index.size).toBe(2);
  });

  it("forgets what is written, and nothing else", () => {
    const index = new PendingIndex();
    index.addSpooled("a", facts, place(1, 0));
    index.addSpooled("b", facts, place(1, 10));
    index.addSpooled("c", facts, place(2, 0));
    index.addDirect("d", facts, inMemory(1));
    index.addDirect("e", facts, inMemory(2));
    const left = () => ["a", "b", "c", "d", "e"].filter((id) => index.find(id) !== undefined).join("");
    index.settle({ segment: 1, offset: 9 }, 0);
    expect(left()).toBe("abcde");
    index.settle({ segment: 1, offset: 10 }, 1);
    expect(left()).toBe("bce");
    index.settle({ segment: 2, offset: 0 }, 1);
    expect(left()).toBe("ce");
    index.settle({ segment: 2, offset: 10 }, 2);
    expect(left()).toBe("");
    expect(index.size).toBe(0);
  });

  it("keeps the later place of an inference that is offered twice", () => {
    const index = new PendingIndex();
    index.addSpooled("a", facts, place(1, 0));
    index.addSpooled("b", facts, place(1, 10));
    index.addSpooled("a", facts, place(1, 20));
    index.settle({ segment: 1, offset: 20 }, 0);
    expect(index.find("a")).toEqual({ ...facts, place: place(1, 20) });
    expect(index.find("b")).toBeUndefined();
  });
});
