import { describe, expect, it } from "vitest";
import { IdSource, idTimeMs, isUuid, MOST_AHEAD_MS, newId } from "../../src/lib/ids.ts";

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

  it.each([
    ["an hour back", -3_600_000],
    ["a second on", 1000],
    ["a day on", 86_400_000],
    ["400 days on", 400 * 86_400_000],
  ])("follows a clock that is set %s for a moment, and makes no id twice", (_, stepMs) => {
    let [now, shown] = [Date.UTC(2026, 10, 22), 0];
    const source = new IdSource(() => now + shown);
    const ids: string[] = [];
    for (shown of [0, stepMs, 0, stepMs, 0]) {
      for (let count = 0; count < 2000; count += 1) {
        now += count % 4 === 0 ? 1 : 0;
        const id = source.next();
        expect(Math.abs((idTimeMs(id) ?? 0) - now - shown)).toBeLessThanOrEqual(MOST_AHEAD_MS);
        ids.push(id);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("makes no id twice where the clock shows the same millisecond again and again", () => {
    const times = [50_000, 1000];
    let count = 0;
    const source = new IdSource(() => times[count++ % 2] ?? 0);
    const ids = Array.from({ length: 100_000 }, () => source.next());
    expect(new Set(ids).size).toBe(ids.length);
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
