import { describe, expect, it } from "vitest";
import { Capacity } from "../../src/hub/capacity.ts";
import { ErrorReason } from "../../src/hub/error.ts";

const user = (keyId: string, projectId: string) => ({ keyId, projectId });
const create = () =>
  new Capacity({ name: "things", remedy: "wait", retryAfterMs: 1000, most: 100, projectShare: 0.75 });

describe("Capacity", () => {
  it("has half for a key, a part for the keys of a project, and no more for all", () => {
    const capacity = create();
    capacity.add(user("a", "p"), 50);
    expect(capacity.check(user("a", "p"))).toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message: "this key has too many things: wait",
      facts: { retryAfterMs: 1000 },
    });
    expect(capacity.check(user("b", "p"), 25)).toBeUndefined();
    capacity.add(user("b", "p"), 25);
    expect(capacity.check(user("c", "p"))).toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message: "the keys of this project together have too many things: wait",
    });
    capacity.add(user("d", "q"), 25);
    expect(capacity.check(user("e", "r"))).toMatchObject({
      reason: ErrorReason.UNAVAILABLE,
      message: "there are too many things at the moment: try again shortly",
    });
  });

  it("has room again for what has ended", () => {
    const capacity = create();
    capacity.add(user("a", "p"), 50);
    capacity.remove(user("a", "p"), 30);
    expect(capacity.check(user("a", "p"), 30)).toBeUndefined();
    expect(capacity.check(user("a", "p"), 31)).toBeDefined();
  });

  it("lets whoever uses none use any amount", () => {
    const capacity = create();
    expect(capacity.check(user("a", "p"), 1000)).toBeUndefined();
    capacity.add(user("a", "p"), 1000);
    expect(capacity.check(user("b", "q"))?.reason).toBe(ErrorReason.UNAVAILABLE);
    capacity.remove(user("a", "p"), 1000);
    expect(capacity.check(user("b", "q"))).toBeUndefined();
  });
});
