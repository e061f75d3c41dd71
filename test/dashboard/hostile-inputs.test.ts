import { describe, expect, it } from "vitest";
import { FIELDS, putHostileInputs } from "./hostile-inputs.ts";

describe("the fields of the procedures", () => {
  it("are found, also those inside others", () => {
    const names = FIELDS.map(({ path, field }) => `${path} ${field.join(".")}`);
    expect(names).toContain("history.list filter.metric.value");
    expect(names).toContain("overview.figures projectId");
    expect(names).toContain("overview.figures group");
    expect(names).toContain("models.compare from");
  });
});

// PostgreSQL refuses more than SQLite does, where hostile-inputs.slow.ts puts the same.
describe("what no field expects, on postgres", () => putHostileInputs("postgres"));
