import { describe, expect, it } from "vitest";
import { readDimensions } from "../../../../../src/dashboard/features/errors/web/dimensions.ts";

describe("readDimensions()", () => {
  it.each([
    ["the default without a choice", null, ["reason", "upstream", "model", "key"]],
    ["what is named, in the order of the columns", "user,reason", ["reason", "user"]],
    ["nothing that it does not know", "user,colour", ["user"]],
    ["the default where nothing is known", "colour", ["reason", "upstream", "model", "key"]],
  ])("reads %s", (_name, text, dimensions) => {
    expect(readDimensions(text)).toEqual(dimensions);
  });
});
