import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { FIELDS } from "../../src/hub/fields.ts";
import { typesInside } from "./set-fields.ts";

describe("FIELDS", () => {
  it("has a row for each field of each message that can stand in a request, and no others", () => {
    const types = [...typesInside(InferenceInputSchema).values()];
    const fields = types.map(({ name, fields: all }) => [name, all.map(({ localName }) => localName).toSorted()]);
    const rows = Object.entries(FIELDS).map(([name, table]) => [name, Object.keys(table).toSorted()]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(fields));
  });
});
