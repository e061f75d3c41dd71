import type { Migration } from "@mikro-orm/migrations";
import { createExecutor } from "../../../src/store/database/executor.ts";
import { migrate } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm, type Orm } from "../../../src/store/database/orm.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { joinNames } from "../../../src/store/move/sql.ts";
import { listTables, type Table } from "../../../src/store/move/table.ts";
import type { Engine } from "../../../src/store/types/store.ts";
import { fillFixture } from "./fill-fixture.ts";

/** The statement by which MikroORM makes its list of migrations. */
const LIST: Record<Engine, string> = {
  sqlite:
    "create table `mikro_orm_migrations` (`id` integer not null primary key autoincrement, `name` text null, " +
    "`executed_at` datetime null default current_timestamp)",
  postgres:
    'create table "mikro_orm_migrations" ("id" serial primary key, "name" varchar(255) not null, ' +
    '"executed_at" timestamptz(6) not null default current_timestamp(6))',
};

/** Returns the SQL of each migration of an engine by its name, a statement a line where it has no lines of its own. */
export async function readMigrations(engine: Engine): Promise<ReadonlyMap<string, string>> {
  const orm = await connectOrm(engine === "sqlite" ? "sqlite::memory:" : "postgresql://nobody@127.0.0.1:1/nothing");
  try {
    const texts = new Map<string, string>();
    for (const { name, class: Class } of MIGRATIONS[engine]) {
      const migration: Migration = new Class(orm.em.getDriver(), orm.config);
      await migration.up();
      texts.set(name, `${migration.getQueries().map(String).join("\n")}\n`);
    }
    return texts;
  } finally {
    await orm.close(true);
  }
}

/** Fills an empty database, and returns the SQL that makes such a one again. */
export async function writeFixture(engine: Engine, databaseUrl: string): Promise<string> {
  await migrate(databaseUrl);
  const store = await openStore(databaseUrl);
  const key = await fillFixture(store).finally(() => store.close());
  const migrations = await readMigrations(engine);
  const names = [...migrations.keys()].map((name) => `insert into mikro_orm_migrations (name) values ('${name}');\n`);
  const parts = [...migrations].map(([name, sql]) => `-- ${name}\n${sql}`);
  return [`-- API key: ${key}\n`, ...parts, `-- migrations\n${LIST[engine]};\n`, ...names, "-- rows\n"]
    .concat(await dumpRows(engine, databaseUrl))
    .join("");
}

/** Returns an insert for each row, those first to which others refer. */
async function dumpRows(engine: Engine, databaseUrl: string): Promise<readonly string[]> {
  const orm = await connectOrm(databaseUrl);
  try {
    const dumped: string[] = [];
    for (const table of listTables(orm)) dumped.push(...(await dumpTable(orm, engine, table)));
    return dumped;
  } finally {
    await orm.close(true);
  }
}

async function dumpTable(orm: Orm, engine: Engine, table: Table): Promise<readonly string[]> {
  const values = table.columns.map(({ name, type }, at) => {
    // As literals that each engine reads back as the same value, whatever the time zone of its session.
    const value = /^timestamptz/.test(type) ? `"${name}" at time zone 'UTC'` : `"${name}"`;
    const text = /^timestamptz/.test(type) ? `(${value})::text || 'Z'` : `(${value})::text`;
    return `${engine === "postgres" ? `quote_nullable(${text})` : `quote(${value})`} as "v${at}"`;
  });
  const execute = createExecutor(orm.em.fork().getConnection().getClient());
  const sql = `select ${values.join(", ")} from "${table.name}" order by ${joinNames(table.keys)}`;
  const rows = await execute<Record<string, unknown>>(sql, []);
  return rows.map((row) => {
    return `insert into "${table.name}" (${joinNames(table.columns)}) values (${Object.values(row).join(", ")});\n`;
  });
}
