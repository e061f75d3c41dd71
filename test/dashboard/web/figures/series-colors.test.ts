import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseColors } from "../../../../src/dashboard/web/figures/series-colors.ts";

const CSS = readFileSync(join(import.meta.dirname, "../../../../src/dashboard/web/figures/series.css"), "utf8");

/** What charts stand on: --attune-surface of theme.css. */
const SURFACES = { light: "#ffffff", dark: "#1b1e23" } as const;

type Triple = readonly [number, number, number];

/**
 * How colours look to people without one of the three kinds of cones: Machado, Oliveira, Fernandes 2009, severity 1.
 */
const SIGHTS: Record<string, readonly [Triple, Triple, Triple]> = {
  "all cones": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function palette(scheme: "light" | "dark"): Triple[] {
  const block = CSS.split(`scheme="${scheme}"] {`)[1]?.split("}")[0] ?? "";
  return [...block.matchAll(/--attune-series-\d: (#[0-9a-f]{6})/g)].map(([, hex]) => linear(hex ?? ""));
}

function linear(hex: string): Triple {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function see(color: Triple, [red, green, blue]: readonly [Triple, Triple, Triple]): Triple {
  const bound = (value: number) => Math.min(1, Math.max(0, value));
  return [bound(dot(color, red)), bound(dot(color, green)), bound(dot(color, blue))];
}

/** CIE L*a*b* for the white of sRGB. */
function lab(color: Triple): Triple {
  const root = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116);
  const x = root(dot(color, [0.4124564, 0.3575761, 0.1804375]) / 0.95047);
  const y = root(dot(color, [0.2126729, 0.7151522, 0.072175]));
  const z = root(dot(color, [0.0193339, 0.119192, 0.9503041]) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function contrast(a: Triple, b: Triple): number {
  const [light = 0, dark = 0] = [a, b].map((color) => dot(color, [0.2126, 0.7152, 0.0722])).sort((p, q) => q - p);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["light", "dark"] as const)("the colours of series, %s", (scheme) => {
  const colors = palette(scheme);

  it("are eight, and stand out from what they are drawn on", () => {
    expect(colors.length).toBe(8);
    expect(Math.min(...colors.map((color) => contrast(color, linear(SURFACES[scheme]))))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(SIGHTS))("are told apart by people with: %s", (_name, sight) => {
    const seen = colors.map((color) => lab(see(color, sight)));
    const distances = seen.flatMap((a, at) => seen.slice(at + 1).map((b) => distance(a, b)));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(15);
  });
});

describe("chooseColors()", () => {
  const known = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

  it("gives a name the same colour whatever is shown beside it", () => {
    expect(chooseColors(["c", "a"], known)).toEqual(
      new Map([
        ["a", "var(--attune-series-0)"],
        ["c", "var(--attune-series-2)"],
      ]),
    );
    expect(chooseColors(["c"], known).get("c")).toBe("var(--attune-series-2)");
  });

  it("gives the later of two names with the same colour the next that is free", () => {
    expect(chooseColors(["i", "b", "a"], known)).toEqual(
      new Map([
        ["a", "var(--attune-series-0)"],
        ["b", "var(--attune-series-1)"],
        ["i", "var(--attune-series-2)"],
      ]),
    );
  });

  it("gives names that are not known yet those that are left", () => {
    expect(chooseColors(["new", "newer"], ["a"])).toEqual(
      new Map([
        ["new", "var(--attune-series-1)"],
        ["newer", "var(--attune-series-2)"],
      ]),
    );
  });
});
