import { describe, expect, it } from "vitest";
import { IdSource, idTimeMs, isUuid, newId } from "../../src/lib/ids.ts";

describe("newId()", () => {
  it("makes greater and greater ids, also within one millisecond", () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids).toEqual([...ids].sort());
  });

  it("makes a UUIDv7 each time, never the same", () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
  });
});

describe("IdSource", () => {
  it("holds the time, and goes on from the latest where the clock goes back", () => {
    const times = [1000, 1000, 2000, 1500, 1500, 3000];
    const source = new IdSource(() => times.shift() ?? 0);
    const ids = Array.from({ length: 6 }, () => source.next());
    expect(ids.map(idTimeMs)).toEqual([1000, 1000, 2000, 2000, 2000, 3000]);
    expect(ids).toEqual([...ids].sort());
  });
});

describe("idTimeMs()", () => {
  it("reads the time of version 7 alone", () => {
    // 0x0190a5a07d6e milliseconds since 1970.
    expect(idTimeMs("0190a5a0-7d6e-7000-8000-000000000000")).toBe(0x0190a5a07d6e);
    expect(idTimeMs("0190a5a0-7d6e-4000-8000-000000000000")).toBeUndefined();
  });
});

describe("isUuid()", () => {
  it.each([
    ["01a1fc1d-3e58-74dc-9afe-9498e9974e32", true],
    ["01A1FC1D-3E58-74DC-9AFE-9498E9974E32", true],
    ["01a1fc1d3e5874dc9afe9498e9974e32", false],
    ["01a1fc1d-3e58-74dc-9afe-9498e9974e3", false],
    ["", false],
  ])("judges '%s'", (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
