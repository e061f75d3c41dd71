import { describe, expect, it } from "vitest";
import { draftRewards } from "../../../src/learning/learner/draft-rewards.ts";
import type { RatedCall, StoredValue } from "../../../src/learning/ports.ts";
import { IdSource } from "../../../src/lib/ids.ts";

const MINUTE_MS = 60_000;
const BEGIN_MS = Date.UTC(2026, 10, 27);

function callAt(minute: number, changes: Partial<RatedCall> = {}): RatedCall {
  return {
    id: new IdSource(() => BEGIN_MS + minute * MINUTE_MS).next(),
    model: "base",
    servedModel: "good",
    family: "a",
    ...changes,
  };
}

let entries = 0;

function valueAt(minute: number, { id: inferenceId }: RatedCall, changes: Partial<StoredValue> = {}): StoredValue {
  entries += 1;
  const id = `e${String(entries).padStart(6, "0")}`;
  const atMs = BEGIN_MS + minute * MINUTE_MS;
  return { id, inferenceId, name: "ok", value: true, optimize: null, atMs, ...changes };
}

/** The ids of the calls that stand for the rewards, with the part and the values of each. */
function drafted(calls: readonly RatedCall[], values: readonly StoredValue[]) {
  return [...draftRewards(calls, values).values()].map(({ call, share, values: own }) => ({
    call: call.id,
    share,
    values: own.map(({ id }) => id),
  }));
}

const ON_SESSION = { isOnSession: true };

describe("draftRewards()", () => {
  const calls = [0, 1, 2].map((minute) => callAt(minute));
  const [first, second, third] = calls as [RatedCall, RatedCall, RatedCall];

  it("drafts a reward for each call with values where nothing is said of the session", () => {
    const values = [valueAt(3, first), valueAt(4, third), valueAt(5, third, { value: false })];
    expect(drafted(calls, values)).toEqual([
      { call: first.id, share: 1, values: [values[0]?.id] },
      { call: third.id, share: 1, values: [values[1]?.id] },
    ]);
  });

  it("drafts one for all calls before the latest word on the session, with the latest value of each name", () => {
    const values = [
      ...[valueAt(3, first), valueAt(3, third, ON_SESSION), valueAt(4, second, ON_SESSION)],
      valueAt(4, second, { ...ON_SESSION, name: "fast" }),
    ];
    const [own, , passed, fast] = values.map(({ id }) => id);
    expect(drafted(calls, values)).toEqual([{ call: third.id, share: 1, values: [passed, fast, own] }]);
  });

  it("leaves out calls that began later, other models' and those of which nothing is learned", () => {
    const other = callAt(1, { servedModel: "base" });
    const unlearned = callAt(2, { family: "" });
    const later = callAt(30);
    const values = [
      ...[valueAt(5, first, ON_SESSION), valueAt(6, other), valueAt(31, later)],
      ...[valueAt(32, third), valueAt(33, first, { name: "tone" })],
    ];
    const [whole, ofOther, ofLater, ofThird, tone] = values.map(({ id }) => id);
    expect(drafted([first, other, unlearned, third, later], values)).toEqual([
      { call: third.id, share: 1, values: [whole, ofThird, tone] },
      { call: other.id, share: 1, values: [ofOther] },
      { call: later.id, share: 1, values: [ofLater] },
    ]);
  });

  it("shares one reward among base models and families, and takes a pause for the end of a session", () => {
    const apart = [callAt(0), callAt(1, { family: "b" }), callAt(2, { model: "big" }), callAt(200)];
    const [one, two, three, next] = apart as [RatedCall, RatedCall, RatedCall, RatedCall];
    const values = [valueAt(201, next, ON_SESSION), valueAt(202, one, ON_SESSION), valueAt(203, two)];
    const [ofNext, whole, own] = values.map(({ id }) => id);
    expect(drafted(apart, values)).toEqual([
      { call: three.id, share: 1 / 3, values: [whole] },
      { call: two.id, share: 1 / 3, values: [whole, own] },
      { call: one.id, share: 1 / 3, values: [whole] },
      { call: next.id, share: 1, values: [ofNext] },
    ]);
  });

  it("takes the model that served most, and of two the one with the latest call", () => {
    const models = ["x", "y", "y", "x"].map((servedModel, minute) => callAt(minute, { servedModel }));
    const [, , third, fourth] = models as [RatedCall, RatedCall, RatedCall, RatedCall];
    const said = valueAt(9, fourth, ON_SESSION);
    expect(drafted(models, [said])).toMatchObject([{ call: fourth.id }]);
    expect(drafted(models.slice(0, 3), [{ ...said, inferenceId: third.id }])).toMatchObject([{ call: third.id }]);
  });
});
