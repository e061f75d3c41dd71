import { describe, expect, it } from "vitest";
import { argument, option } from "../../src/cli/command.ts";
import { nameParameter } from "../../src/cli/name-parameter.ts";

const PARAMETERS = {
  arguments: { model: argument("base"), id: argument("id") },
  options: { usd: option("usd", "budget"), ask: option("model", "model"), usdDay: option("usd", "a day") },
};

describe("nameParameter()", () => {
  it.each([
    ["max_usd", { usd: -1 }, "--usd"],
    ["models[0]", { ask: ["x"] }, "--ask"],
    ["key.limits.usd_per_day", { usdDay: 1 }, "--usd-day"],
    ["model", { model: "x" }, "<model>"],
    ["update_mask", {}, "update_mask"],
    ["max_usd", {}, "max_usd"],
    ["constructor", {}, "constructor"],
    ["", {}, ""],
  ])("names %j, with %j, %s", (place, values, name) => {
    expect(nameParameter(place, PARAMETERS, values)).toBe(name);
  });
});
