import { describe, expect, it } from "vitest";
import { type AuditState, addSample, putBack, type Sample } from "../../../src/learning/equivalence/audit-state.ts";
import type { Toss } from "../../../src/learning/equivalence/compare-answers.ts";

const at = new Date("2026-11-23T06:00:00Z");
const first = { upstream: "a", model: "real" };
const second = { upstream: "b", model: "real" };
const key = { model: "m", place: second };

const longer: Toss = { measure: "length", coin: 0, isHit: true };
const sample = (given: Partial<Sample> = {}, tosses: readonly Toss[] = [longer]): Sample => ({
  key,
  plainPlace: first,
  comparison: { tosses, hasNull: false, distance: 0.5 },
  ...given,
});

/** Always longer: after some twenty samples that is no chance. */
function convict(given: Partial<Sample> = {}, known?: AuditState): AuditState {
  let state = known;
  for (let count = 0; count < 40; count++) state = addSample(state, sample(given), at);
  if (state === undefined) throw new Error("nothing was added");
  return state;
}

describe("addSample()", () => {
  it("takes out what proves different, says so once, and counts nothing more of it", () => {
    const state = convict();
    expect(state).toMatchObject({ standing: "out", difference: { by: ["length"] } });
    expect(state.evidence.total.samples).toBeLessThan(40);
    expect(state.history.map(({ kind }) => kind)).toEqual(["different", "taken-out"]);
    expect(state.history[0]).toMatchObject({ at: "2026-11-23T06:00:00.000Z", detail: { by: ["length"] } });
    expect(addSample(state, sample(), at)).toBe(state);
  });

  it("leaves what is like base where it is", () => {
    let state: AuditState | undefined;
    for (let count = 0; count < 500; count++)
      state = addSample(state, sample({}, [{ ...longer, isHit: count % 2 === 0 }]), at);
    expect(state).toMatchObject({ standing: "open", difference: undefined, history: [] });
    expect(state?.evidence.total.samples).toBe(500);
  });

  it("says of the first deployment that what is done to its requests changes them, and leaves it in", () => {
    const state = convict({ key: { model: "m", place: first } });
    expect(state.standing).toBe("open");
    expect(state.difference).toMatchObject({ by: ["length"] });
    expect(state.history.map(({ kind }) => kind)).toEqual(["different"]);
  });

  it("begins anew where the first deployment is another one than before", () => {
    const known = addSample(addSample(undefined, sample(), at), sample(), at);
    const state = addSample(known, sample({ plainPlace: { upstream: "c", model: "real" } }), at);
    expect(state.evidence.total.samples).toBe(1);
    expect(state.history.map(({ kind }) => kind)).toEqual(["compared-anew"]);
  });

  it("keeps what is out out, also where the first deployment is another one than before", () => {
    const state = convict();
    expect(addSample(state, sample({ plainPlace: { upstream: "c", model: "real" } }), at)).toBe(state);
  });
});

describe("putBack()", () => {
  it("has a deployment asked and compared anew, and taken out again if it proves different again", () => {
    const back = putBack(convict(), false, at);
    expect(back).toMatchObject({ standing: "open", difference: undefined, evidence: { total: { samples: 0 } } });
    expect(back.history.at(-1)?.kind).toBe("put-back");
    expect(convict({}, back).standing).toBe("out");
  });

  it("leaves a trusted one in, and still says that it is different", () => {
    const trusted = convict({}, putBack(convict(), true, at));
    expect(trusted).toMatchObject({ standing: "trusted", difference: { by: ["length"] } });
    expect(trusted.history.map(({ kind }) => kind)).toEqual(["different", "taken-out", "trusted", "different"]);
  });
});
