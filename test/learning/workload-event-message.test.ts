import { describe, expect, it } from "vitest";
import { AccuracyBasis } from "../../gen/attune/workload/v1/workload_pb.ts";
import { eventToMessage } from "../../src/learning/workload-event-message.ts";

const at = new Date("2026-11-23T09:00:00Z");
const idOf = (name: string) => `attune/${name}`;

describe("eventToMessage()", () => {
  it.each([
    ["won", true],
    ["lost", false],
  ])("says that clusters have %s", (outcome, divided) => {
    const detail = { family: "auto:plain", outcome, clusters: 16, rewards: 412 };
    const { id, event } = eventToMessage({ id: "e", model: "base", at, kind: "divided", detail }, idOf);
    expect(id).toBe("e");
    expect(event.case).toBe("familyDivided");
    expect(event.value).toMatchObject({ family: "auto:plain", divided, clusters: 16, rewards: 412n });
  });

  it("says that the choice among candidates is proven, with the evidence", () => {
    const detail = {
      isProven: true,
      rewards: 61,
      basis: "pairs",
      observations: 40.5,
      value: 0.9,
      low: 0.8,
      high: 0.95,
    };
    const { event } = eventToMessage({ id: "e", model: "base", at, kind: "selector", detail }, idOf);
    expect(event).toMatchObject({
      case: "selectorJudged",
      value: {
        isProven: true,
        rewards: 61n,
        measured: 40.5,
        basis: AccuracyBasis.PAIRS,
        accuracy: { value: 0.9, low: 0.8, high: 0.95 },
      },
    });
    const none = eventToMessage({ id: "e", model: "base", at, kind: "selector", detail: {} }, idOf);
    expect(none.event.value).toMatchObject({ isProven: false, rewards: 0n, basis: AccuracyBasis.UNSPECIFIED });
  });

  it("says when something happened of which this version knows nothing", () => {
    const message = eventToMessage({ id: "e", model: "base", at, kind: "invented", detail: { family: 1 } }, idOf);
    expect(message.event.case).toBeUndefined();
    expect(Number(message.at?.seconds)).toBe(at.getTime() / 1000);
  });
});
