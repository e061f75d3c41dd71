import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import known from "./small-files.json" with { type: "json" };

const SRC = join(import.meta.dirname, "..", "src");
const SMALL = 40;

/** Rooms whose files are siblings of a kind: each has its own, however short. */
const KINDS = ["catalog/servers/", "cli/commands/", "formats/", "store/entities/", "store/migrations/"];

/** Rooms of the dashboard and of what it shares with other doors: their files are not held to this yet. */
const LATER = ["dashboard/", "learning/", "openapi/", "operations/", "store/dashboard/"];

const FILES = globSync("**/*.{ts,tsx}", { cwd: SRC }).map((file) => file.replaceAll("\\", "/"));

function findSmall(): readonly string[] {
  const importers = new Map<string, Set<string>>();
  const texts = new Map(FILES.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
  for (const [file, text] of texts) {
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const imported = join(dirname(file), specifier).replaceAll("\\", "/");
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  }
  return FILES.filter((file) => {
    if ([...KINDS, ...LATER].some((room) => file.startsWith(room))) return false;
    return (texts.get(file) ?? "").split("\n").length - 1 <= SMALL && importers.get(file)?.size === 1;
  });
}

describe("a file of 40 lines or less", () => {
  const small = new Set(findSmall());

  it("has more than one user, or stands in its only one", () => {
    expect(
      [...small].filter((file) => !known.includes(file)),
      "join each with the file that imports it",
    ).toEqual([]);
  });

  it("is taken off the list of those that stand where it has grown, gone or found another user", () => {
    expect(known.filter((file) => !small.has(file))).toEqual([]);
  });
});
