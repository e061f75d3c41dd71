/**
 * Writes the next migration of each engine: what leads from the migrations so far to the entities. PostgreSQL is a real
 * server that lives only for this. Usage: node scripts/make-migrations.ts NAME
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgreSqlSchemaHelper } from "@mikro-orm/sql";
import { createMissingDatabase } from "../src/store/database/create-database.ts";
import { connectOrm, type Orm } from "../src/store/database/orm.ts";
import type { Engine } from "../src/store/types/store.ts";
import { startPostgres } from "../test/support/postgres.ts";

const ROOT = join(import.meta.dirname, "..", "src", "store", "migrations");

const name = process.argv[2];
if (name === undefined) throw new Error("give the migration a name: node scripts/make-migrations.ts add-something");

const folder = mkdtempSync(join(tmpdir(), "attune-migrations-"));
const server = await startPostgres();
try {
  await makeMigration("sqlite", `sqlite:${join(folder, "empty.db")}`);
  await makeMigration("postgres", server.createDatabaseUrl());
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function makeMigration(engine: Engine, databaseUrl: string): Promise<void> {
  await createMissingDatabase(databaseUrl);
  const orm = await connectOrm(databaseUrl);
  try {
    await orm.migrator.up();
    leaveOutPartitions(orm);
    const { fileName } = await orm.migrator.create(join(ROOT, engine), false, false, name?.replaceAll("-", "_"));
    console.log(`${engine}: ${fileName === "" ? "nothing to change" : fileName}`);
  } finally {
    await orm.close(true);
  }
  writeFileSync(join(ROOT, engine, "index.ts"), listModule(engine));
}

/**
 * Has what is compared know nothing of partitions, of which no entity says anything: on the way back, the migrator
 * would rebuild each table that has some, whatever was changed.
 */
function leaveOutPartitions(orm: Orm): void {
  const helper = orm.em.getPlatform().getSchemaHelper();
  if (helper instanceof PostgreSqlSchemaHelper) helper.getPartitions = async () => ({});
}

/** The module that lists an engine's migrations, oldest first. */
function listModule(engine: Engine): string {
  const names = readdirSync(join(ROOT, engine))
    .filter((file) => file.startsWith("Migration"))
    .map((file) => file.replace(/\.ts$/, ""))
    .sort();
  const imports = names.map((migration) => `import { ${migration} } from "./${migration}.ts";\n`).join("");
  const list = names.map((migration) => `  { name: "${migration}", class: ${migration} },\n`).join("");
  return (
    `// Written by scripts/make-migrations.ts.\n${imports}\n/** Migrations, oldest first. */\nexport const ` +
    `MIGRATIONS = [\n${list}];\n`
  );
}
