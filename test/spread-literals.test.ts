import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

const FILES = ["src", "test", "scripts", "compat"].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: ROOT }).sort(),
);

/** Returns the numbers of the lines that spread an object literal, whose members could stand there themselves. */
function findSpreads(text: string): number[] {
  const found = [...text.matchAll(/\.{3}\(?\{/g)];
  return found.map(({ index }) => text.slice(0, index).split("\n").length);
}

describe("object literals", () => {
  it("have their members, and spread no literal to be fewer lines", () => {
    expect(FILES.length).toBeGreaterThan(1000);
    const found = FILES.flatMap((file) =>
      findSpreads(readFileSync(join(ROOT, file), "utf8")).map((line) => `${file}:${line}`),
    );
    expect(found).toEqual([]);
  });

  it("are found where they are spread", () => {
    expect(findSpreads(["const a = {", `  ..${"."}{ b, c },`, "};"].join("\n"))).toEqual([2]);
    expect(findSpreads(`const a = { ..${"."}({ b } as const) };`)).toEqual([1]);
  });
});
