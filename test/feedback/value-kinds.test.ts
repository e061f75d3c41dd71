import { describe, expect, it, vi } from "vitest";
import { ValueKinds } from "../../src/feedback/value-kinds.ts";

const value = (name: string, content: unknown, projectId = "a") => ({ projectId, name, content }) as never;
const yes = { kind: "boolean", value: true };
const three = { kind: "float", value: 3 };
const word = { kind: "note", value: "yes" };

describe("ValueKinds", () => {
  it("tells of the first value of another kind, once", async () => {
    const read = vi.fn(async (_projectId: string, name: string) => (name === "helpful" ? (["boolean"] as const) : []));
    const kinds = new ValueKinds(read);
    const send = async (...values: never[]) => {
      await kinds.open(values);
      return values.map((one) => kinds.note(one));
    };
    expect(await send(value("helpful", yes), value("helpful", three), value("helpful", three))).toEqual([
      undefined,
      "feedback.helpful is a number, and earlier values of this name are true or false: each kind is a metric of its " +
        "own, so send one kind under a name",
      undefined,
    ]);
    expect(await send(value("helpful", word))).toEqual([
      "feedback.helpful is a text, and earlier values of this name are true or false and numbers: each kind is a " +
        "metric of its own, so send one kind under a name",
    ]);
    expect(await send(value("stars", three), value("stars", three), value("stars", yes))).toEqual([
      undefined,
      undefined,
      expect.stringContaining("feedback.stars is true or false, and earlier values of this name are numbers"),
    ]);
    expect(read).toHaveBeenCalledTimes(2);
    expect(await send(value("stars", yes, "b"))).toEqual([undefined]);
  });

  it("holds no feedback up where kinds cannot be read, and tells nothing then", async () => {
    const failing = new ValueKinds(() => Promise.reject(new Error("away")));
    await failing.open([value("helpful", yes)]);
    expect(failing.note(value("helpful", three))).toBeUndefined();
    const silent = new ValueKinds(() => new Promise(() => {}));
    await silent.open([value("helpful", yes)]);
    expect(silent.note(value("helpful", three))).toBeUndefined();
  });

  it("reads a bounded number of names for a batch", async () => {
    const read = vi.fn(async () => []);
    await new ValueKinds(read).open(Array.from({ length: 1000 }, (_, at) => value(`name-${at}`, yes)));
    expect(read).toHaveBeenCalledTimes(20);
  });
});
