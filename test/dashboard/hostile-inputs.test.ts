import { describe, expect, it } from "vitest";
import { FIELDS } from "./hostile-inputs.ts";

// What is put into them is in hostile-inputs.slow.ts.
describe("the fields of the procedures", () => {
  it("are found, also those inside others", () => {
    const names = FIELDS.map(({ path, field }) => `${path} ${field.join(".")}`);
    expect(names).toContain("history.list filter.metric.value");
    expect(names).toContain("overview.figures projectId");
    expect(names).toContain("overview.figures group");
    expect(names).toContain("models.compare from");
  });
});
