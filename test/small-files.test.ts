import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");
const SMALL = 40;
/** Lines that both may have together, which leaves a file of at most 300 lines room to grow. */
const TOGETHER = 280;
/** Runs before all that its user imports. */
const FIRST = "dashboard/web/nonce.ts";

/** Places whose files are siblings of a kind: each has its own, however short. Components are too. */
const KINDS = [
  "catalog/servers/",
  "cli/commands/",
  "dashboard/features/playground/web/code/",
  "formats/",
  "operations/",
  "store/dashboard/",
  "store/entities/",
  "store/migrations/",
];
/** The procedures of a feature: there is one such file for each name of the dashboard's API. */
const ROUTER = /^dashboard\/features\/[^/]+\/[^/]+-router\.ts$/;

const FILES = globSync("**/*.{ts,tsx}", { cwd: SRC }).map((file) => file.replaceAll("\\", "/"));
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));

function lines(file: string): number {
  return (TEXTS.get(file) ?? "").split("\n").length - 1;
}

/** The files that import each file, but for those that load it when they need it or for what it does. */
function findImporters(): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [file, text] of TEXTS) {
    for (const [, by = "", specifier = ""] of text.matchAll(/(from|import|import\(|URL\()\s*"(\.[^"]+)"/g)) {
      const imported = join(dirname(file), specifier).replaceAll("\\", "/");
      const users = importers.get(imported) ?? new Set();
      users.add(file);
      if (by !== "from") users.add("at its own time");
      importers.set(imported, users);
    }
  }
  return importers;
}

/** Whether a file has a test under its own name. */
function isTested(file: string): boolean {
  const name = file.replace(/\.ts$/, "");
  return ["test.ts", "slow.ts"].some((end) => existsSync(join(ROOT, "test", `${name}.${end}`)));
}

it("a file of 40 lines or less has several users, a test or a sibling, or stands in its only user", () => {
  const importers = findImporters();
  const isOfKind = (file: string) => ROUTER.test(file) || KINDS.some((place) => file.startsWith(place));
  const small = FILES.filter((file) => file.endsWith(".ts") && !isOfKind(file)).flatMap((file) => {
    const [user, ...others] = importers.get(file) ?? [];
    if (user === undefined || file === FIRST || others.length > 0 || lines(file) > SMALL || isTested(file)) return [];
    const [own, theirs] = [dirname(file), dirname(user)];
    const isOfOneRoom = own.startsWith(theirs) || theirs.startsWith(own);
    return isOfOneRoom && lines(user) + lines(file) <= TOGETHER ? [`${file} into ${user}`] : [];
  });
  expect(small, "join each with the file that imports it").toEqual([]);
});
