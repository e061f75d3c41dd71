import { describe, expect, it } from "vitest";
import { groupSessions } from "./sessions.ts";

const FAMILY_OF = Int32Array.of(0, 1, 0, 1, 0, 0);

describe("groupSessions()", () => {
  it("puts requests of one family in a row, in the order of the draw", () => {
    expect(groupSessions(Int32Array.of(5, 1, 4, 3, 2, 0), FAMILY_OF, 3)).toEqual({
      rows: Int32Array.of(5, 4, 2, 1, 3, 0),
      firsts: Int32Array.of(0, 0, 0, 3, 3, 5),
      lasts: Int32Array.of(2, 2, 2, 4, 4, 5),
    });
  });

  it("leaves a stream of sessions of one request as it is", () => {
    const rows = Int32Array.of(2, 0, 1);
    expect(groupSessions(rows, FAMILY_OF, 1)).toEqual({
      rows,
      firsts: Int32Array.of(0, 1, 2),
      lasts: Int32Array.of(0, 1, 2),
    });
  });
});
