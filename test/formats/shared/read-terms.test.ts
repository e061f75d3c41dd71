import { describe, expect, it } from "vitest";
import type { Finished } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { readRequestedTerms, type Terms } from "../../../src/formats/shared/read-terms.ts";
import { type FurtherMembers, readShortAnswer } from "../../support/answers-in-formats.ts";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";

const termsOf = (end: Finished | undefined) => {
  const { serviceTier = "", speed = "", region = "" } = end?.usage?.billing ?? {};
  return [serviceTier, speed, region];
};

/** Returns tier, speed and region of an answer; whole and streamed have to say the same. */
function read(format: Format, further: FurtherMembers, terms?: Terms) {
  const { whole, streamed } = readShortAnswer(format, further, { context: { terms } });
  expect(termsOf(streamed)).toEqual(termsOf(whole));
  return termsOf(whole);
}

const PRIORITY = ["priority", "", ""];
const PLAIN = ["", "", ""];

describe.each(FORMATS)("the terms of an answer of %s", (format) => {
  it.each(["answer", "usage"] as const)("are read of its %s", (place) => {
    const words = ["priority", "PRIORITY", "Priority", "SERVICE_TIER_PRIORITY", "ON_DEMAND_PRIORITY"];
    for (const member of ["service_tier", "serviceTier"]) {
      for (const word of words) expect(read(format, { [place]: { [member]: word } })).toEqual(PRIORITY);
      expect(read(format, { [place]: { [member]: { type: "priority" } } })).toEqual(PRIORITY);
      for (const word of ["default", "DEFAULT", "standard", "STANDARD", "ON_DEMAND", "auto", "", null, 1, {}])
        expect(read(format, { [place]: { [member]: word } })).toEqual(PLAIN);
    }
    expect(read(format, { [place]: { speed: "FAST" } })).toEqual(["", "fast", ""]);
    expect(read(format, { [place]: { speed: "standard" } })).toEqual(PLAIN);
    for (const member of ["inference_geo", "inferenceGeo"]) {
      expect(read(format, { [place]: { [member]: "US" } })).toEqual(["", "", "us"]);
      for (const word of ["global", "not_available"])
        expect(read(format, { [place]: { [member]: word } })).toEqual(PLAIN);
    }
  });

  it("are those of the usage where both tell some", () => {
    const further = { answer: { service_tier: "default" }, usage: { service_tier: "priority" } };
    expect(read(format, further)).toEqual(PRIORITY);
    expect(read(format, { answer: { service_tier: "priority" }, usage: { service_tier: "auto" } })).toEqual(PRIORITY);
  });

  it("are those that were asked for where the answer names none", () => {
    const asked = { serviceTier: "priority", speed: "fast", region: "us" };
    expect(read(format, {}, asked)).toEqual(["priority", "fast", "us"]);
    for (const tier of [null, "", "auto"])
      expect(read(format, { answer: { service_tier: tier } }, asked)).toEqual(["priority", "fast", "us"]);
    expect(read(format, { answer: { service_tier: "default" } }, asked)).toEqual(["", "fast", "us"]);
    expect(read(format, { usage: { service_tier: "STANDARD", speed: "standard" } }, asked)).toEqual(["", "", "us"]);
    expect(read(format, { usage: { service_tier: "flex", inference_geo: "global" } }, asked)).toEqual([
      "flex",
      "fast",
      "",
    ]);
  });
});

describe("readAskedTerms()", () => {
  it.each([
    [{ service_tier: "priority" }, { serviceTier: "priority" }],
    [
      { service_tier: "Flex", speed: "fast", inference_geo: "us" },
      { serviceTier: "flex", speed: "fast", region: "us" },
    ],
    [{ serviceTier: { type: "priority" } }, { serviceTier: "priority" }],
    [{ service_tier: "auto" }, undefined],
    [{ service_tier: "standard_only" }, undefined],
    [{}, undefined],
  ])("reads %j", (body, terms) => {
    expect(readRequestedTerms(body)).toEqual(terms);
  });
});
