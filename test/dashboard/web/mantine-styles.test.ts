import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const DASHBOARD = join(ROOT, "src", "dashboard");
const PAGES = "{web,features/*/web}/**/*.{ts,tsx}";
const MANTINE = join(ROOT, "node_modules", "@mantine");
const PACKAGES = ["core", "charts", "notifications"] as const;
const IMPORT = /import\s*(?:\{([^}]*)\}|[\w$]+|\* as [\w$]+)?\s*(?:from\s*)?"([^"]+)"/g;

function namesIn(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}

/** Returns the file of each name that a package exports. */
function readExports(name: string): ReadonlyMap<string, string> {
  const folder = join(MANTINE, name, "esm");
  const files = [...readFileSync(join(folder, "index.mjs"), "utf8").matchAll(IMPORT)].flatMap(
    ([, names = "", from = ""]) =>
      namesIn(names).map((one): [string, string] => [one.split(" as ").at(-1) ?? "", resolve(folder, from)]),
  );
  return new Map(files);
}

/** Lists the style sheets of Mantine's components that pages import, and of those that these are made of. */
function neededSheets(): Set<string> {
  const exported = new Map(PACKAGES.map((name) => [`@mantine/${name}`, readExports(name)]));
  const [seen, sheets] = [new Set<string>(), new Set<string>()];
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const sheet = /core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(file)?.[1];
    if (sheet !== undefined) sheets.add(sheet);
    if (!existsSync(file)) return;
    for (const [, names = "", from = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (from.startsWith(".") && file.startsWith(MANTINE)) follow(resolve(dirname(file), from));
      for (const name of namesIn(names)) {
        const found = exported.get(from)?.get(name.split(" as ")[0] ?? "");
        if (found !== undefined) follow(found);
      }
    }
  };
  for (const page of globSync(PAGES, { cwd: DASHBOARD })) follow(join(DASHBOARD, page));
  return sheets;
}

describe("mantine.css", () => {
  const imported = [
    ...readFileSync(join(DASHBOARD, "web", "mantine.css"), "utf8").matchAll(/styles\/([\w-]+)\.css/g),
  ].map(([, name = ""]) => name);

  it("has the sheet of each component that pages use, and of no other", () => {
    const needed = neededSheets();
    expect(needed.size).toBeGreaterThan(40);
    expect(imported.toSorted()).toEqual([...needed, "baseline", "default-css-variables", "global"].toSorted());
  });

  it("keeps the order of the whole sheet, by which later rules win", () => {
    const whole = readFileSync(join(MANTINE, "core", "styles.css"), "utf8");
    const places = imported.map((name) =>
      whole.indexOf(
        readFileSync(join(MANTINE, "core", "styles", `${name}.css`), "utf8")
          .trim()
          .slice(0, 200),
      ),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
