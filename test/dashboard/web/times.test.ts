import { afterEach, describe, expect, it } from "vitest";
import { readField, readParameter, toField, toParameter } from "../../../src/dashboard/web/parts/times.ts";
import { describeZone } from "../../../src/dashboard/web/parts/zone.ts";

const own = process.env["TZ"];

afterEach(() => {
  if (own === undefined) delete process.env["TZ"];
  else process.env["TZ"] = own;
});

describe("times in the address", () => {
  it("are UTC, so that a link means the same everywhere", () => {
    process.env["TZ"] = "Asia/Kolkata";
    expect(toParameter("2026-11-02T12:30:00.000Z")).toBe("2026-11-02T12:30Z");
    expect(toParameter("2026-11-02T12:30:07.000Z")).toBe("2026-11-02T12:30:07Z");
    expect(readParameter("2026-11-02T12:30Z")).toBe("2026-11-02T12:30:00.000Z");
    expect(readParameter("2026-11-02T12:30:07Z")).toBe("2026-11-02T12:30:07.000Z");
  });

  it("are none where they cannot be read", () => {
    const texts = ["", "2026-11-02", "2026-13-40T00:00Z", "soon", "2026-11-02T12:30+01:00"];
    expect([null, ...texts].map(readParameter)).toEqual([null, ...texts].map(() => undefined));
  });

  it("of before they named their zone are UTC", () => {
    expect(readParameter("2026-11-02T12:30")).toBe("2026-11-02T12:30:00.000Z");
  });
});

describe("times in fields", () => {
  it.each([
    ["Europe/Zurich", "2026-11-02T13:30"],
    ["America/Los_Angeles", "2026-11-02T04:30"],
    ["Asia/Kolkata", "2026-11-02T18:00"],
    ["UTC", "2026-11-02T12:30"],
  ])("are of the viewer's clock, in %s", (zone, field) => {
    process.env["TZ"] = zone;
    expect(toField("2026-11-02T12:30:00.000Z")).toBe(field);
    expect(readField(field)).toBe("2026-11-02T12:30:00.000Z");
  });

  it("are none where they cannot be read", () => {
    expect(["", "2026-11-02", "2026-13-40T00:00"].map(readField)).toEqual([undefined, undefined, undefined]);
    expect(toField(undefined)).toBe("");
  });
});

describe("describeZone()", () => {
  const winter = Date.parse("2026-01-15T12:00:00Z");
  it.each([
    ["Europe/Zurich", "Europe/Zurich, GMT+1"],
    ["Asia/Kolkata", "Asia/Kolkata, GMT+5:30"],
    ["Africa/Abidjan", "Africa/Abidjan, GMT+0"],
    ["UTC", "UTC"],
  ])("%s", (zone, text) => expect(describeZone(zone, winter)).toBe(text));
});
