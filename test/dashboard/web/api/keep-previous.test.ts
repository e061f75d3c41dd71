import { describe, expect, it } from "vitest";
import { keepPrevious } from "../../../../src/dashboard/web/api/keep-previous.ts";
import { trpc } from "../../../../src/dashboard/web/api/trpc.ts";

const queryOf = (projectId: string, range: "24h" | "30d") => ({
  queryKey: trpc.errors.summary.queryKey({ projectId, range }),
});

describe("keepPrevious()", () => {
  it("keeps what was read for other choices", () => {
    expect(keepPrevious({ projectId: "one" })("figures", queryOf("one", "24h"))).toBe("figures");
  });

  it("keeps nothing of another project, and nothing of no query", () => {
    expect(keepPrevious({ projectId: "one" })("figures", queryOf("two", "24h"))).toBeUndefined();
    expect(keepPrevious({ projectId: "one" })("figures", undefined)).toBeUndefined();
  });
});
