import { expect, it } from "vitest";
import { readModels } from "../../../../../src/dashboard/features/playground/web/read-models.ts";

it("offers the models that answer, and not those that make embeddings", () => {
  const model = { id: "attune/a", display_name: "A", family: "chat", purpose: "Talks", embeddings: false };
  const data = [model, { ...model, id: "attune/e", embeddings: true }, { id: "attune/old" }];
  expect(readModels({ object: "list", data })).toEqual([
    { id: "attune/a", name: "A", family: "chat", purpose: "Talks" },
    { id: "attune/old", name: "", family: "", purpose: "" },
  ]);
  expect(readModels(null)).toEqual([]);
});
