import { expect, it } from "vitest";
import { describeDetail } from "../../src/cli/describe-detail.ts";

it("describes events without braces, quotes and digits that nobody reads", () => {
  const detail = {
    family: "tag:a",
    worths: [0.1234567890123456, 6e-7, null],
    rewards: 240,
    changes: { mode: "on", list: [] },
  };
  expect(describeDetail(detail)).toBe(
    "family tag:a, worths 0.123 and 0.0000006 and none, rewards 240, changes (mode on, list none)",
  );
});
