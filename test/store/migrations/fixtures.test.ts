import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGINES } from "../../support/database.ts";
import { listFixtures, readFixture } from "../../support/schema-fixture/read-fixture.ts";
import { readMigrations } from "../../support/schema-fixture/write-fixture.ts";

const PACKAGE = join(import.meta.dirname, "..", "..", "..", "package.json");
const newest = listFixtures().at(-1) ?? "";

const adviceOf = (name: string) =>
  `${name} is not the one of v${newest}: migrations only go forward from there, so add a new one instead ` +
  `(node scripts/make-migrations.ts NAME). Before v${newest} is tagged: npm run release:schema`;

describe.each(ENGINES)("the migrations on %s", (engine) => {
  it("are those of the newest fixture, and others only after them", async () => {
    const current = await readMigrations(engine);
    const { migrations } = readFixture(newest, engine);
    expect(migrations.size).toBeGreaterThan(0);
    expect([...current.keys()].slice(0, migrations.size), adviceOf("their list")).toEqual([...migrations.keys()]);
    for (const [name, sql] of migrations) expect(current.get(name), adviceOf(name)).toBe(sql);
  });
});

it("the newest fixture is of no version after this one", () => {
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
  // That of this version is written before its tag: npm run check:release asks for it.
  expect(newest.localeCompare(version, "en", { numeric: true })).toBeLessThanOrEqual(0);
});
