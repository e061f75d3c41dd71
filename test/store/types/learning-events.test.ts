import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../../src/hub/decision-record.ts";
import { inferenceToEvent } from "../../../src/store/types/learning-events.ts";
import { DECISION } from "../../support/inference-record.ts";
import { inferenceRow } from "../../support/rows.ts";

describe("inferenceToEvent()", () => {
  it.each<[DecisionRecord["kept"], true | undefined]>([
    [undefined, undefined],
    ["observed", undefined],
    ["unfit", undefined],
    ["session", true],
    ["conversation", true],
  ])("says whether a call that was kept by %s only went on", (kept, isContinued) => {
    const decision: DecisionRecord = { ...DECISION, ...(kept !== undefined && { kept }) };
    expect(inferenceToEvent(inferenceRow({ decision })).isContinued).toBe(isContinued);
  });
});
