/**
 * `npm run release:schema`: writes the schema of this version on both engines, with made-up rows, into
 * test/store/migrations/fixtures. The databases of later versions are tested to come from there, so that of a version
 * that is tagged stays as it is. The same sources give the same text.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { startPostgres } from "../../test/support/postgres.ts";
import { FIXTURES } from "../../test/support/schema-fixture/read-fixture.ts";
import { writeFixture } from "../../test/support/schema-fixture/write-fixture.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const tags = execFileSync("git", ["tag", "--list", `v${version}`], { cwd: ROOT, encoding: "utf8" });
if (tags.trim() !== "") {
  throw new Error(
    `v${version} is tagged, and its schema stays: raise the version in package.json, then write the next`,
  );
}

const target = join(FIXTURES, `v${version}`);
const folder = mkdtempSync(join(tmpdir(), "attune-fixture-"));
const server = await startPostgres();
try {
  const sqlite = await writeFixture("sqlite", `sqlite:${join(folder, "fixture.db")}`);
  const postgres = await writeFixture("postgres", server.createDatabaseUrl());
  mkdirSync(target, { recursive: true });
  for (const [engine, sql] of Object.entries({ sqlite, postgres })) {
    writeFileSync(join(target, `${engine}.sql`), sql);
    console.log(`${relative(ROOT, join(target, `${engine}.sql`))}: ${Math.ceil(sql.length / 1000)} KB`);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
