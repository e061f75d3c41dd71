import { describe, expect, it } from "vitest";
import { eventToMessage } from "../../src/rpc/workload-event-message.ts";

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

  it("says when something happened of which this version knows nothing", () => {
    const message = eventToMessage({ id: "e", model: "base", at, kind: "invented", detail: { family: 1 } }, idOf);
    expect(message.event.case).toBeUndefined();
    expect(Number(message.at?.seconds)).toBe(at.getTime() / 1000);
  });
});
