import { describe, expect, it } from "vitest";
import { betaMarks } from "../../../../src/formats/messages/request/encode-request.ts";

describe("betaMarks()", () => {
  it("joins what the caller asked for with what the members need, each once", () => {
    const asked = ["files-api-2025-04-14", "context-management-2025-06-27"];
    expect(betaMarks({ context_management: {}, speed: "fast" }, asked)).toEqual([
      "files-api-2025-04-14",
      "context-management-2025-06-27",
      "fast-mode-2026-02-01",
    ]);
  });

  it("asks for nothing where nothing needs it", () => {
    expect(betaMarks({ model: "m", speed: "standard" }, [])).toEqual([]);
  });
});
