import { describe, expect, it } from "vitest";
import { splitDirective } from "../../src/catalog/directive.ts";

describe("splitDirective()", () => {
  it.each([
    ["attune/m", { id: "attune/m" }],
    ["attune/llama3:8b", { id: "attune/llama3:8b" }],
    ["attune/m:sandbox", { id: "attune/m:sandbox" }],
    ["attune/m:sandbox-overload", { id: "attune/m", directive: "overload" }],
    ["attune/llama3:8b:sandbox-rate-limit=2", { id: "attune/llama3:8b", directive: "rate-limit=2" }],
    ["attune/m:sandbox-", { id: "attune/m", directive: "" }],
    ["attune/m:sandbox-a:sandbox-b", { id: "attune/m", directive: "a:sandbox-b" }],
  ])("takes %s apart", (modelId, parts) => {
    expect(splitDirective(modelId)).toEqual(parts);
  });
});
