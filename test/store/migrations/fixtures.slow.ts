import { describe, expect, it } from "vitest";
import { verifyAuditLog } from "../../../src/store/audit/verify-audit-log.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { createExecutor } from "../../../src/store/database/executor.ts";
import { migrate } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { listKeys } from "../../../src/store/keys/key-repository.ts";
import { readWorkload } from "../../../src/store/learning/workload-reads.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { readQuotas } from "../../../src/store/quotas/read-quotas.ts";
import type { Engine } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { readDatabase } from "../../support/fill-database.ts";
import { readInference } from "../../support/read-inference.ts";
import { listFixtures, loadFixture, readFixture } from "../../support/schema-fixture/read-fixture.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type Row = Readonly<Record<string, unknown>>;

/** Everything of a schema that can differ; partitions, of which each day has others, are left out. */
const SCHEMA: Record<Engine, string> = {
  sqlite: "select name, sql from sqlite_master where name not like 'sqlite_%' order by name",
  postgres: `
    with own as (
      select oid, relname from pg_class
      where relnamespace = current_schema()::regnamespace and not relispartition and relkind in ('r', 'p'))
    select relname, attname, format_type(atttypid, atttypmod) as type, attnotnull, pg_get_expr(adbin, adrelid) as other
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all select relname, conname, contype::text, convalidated, pg_get_constraintdef(pg_constraint.oid)
      from own join pg_constraint on conrelid = own.oid
    union all select relname, '', '', indisvalid, pg_get_indexdef(indexrelid)
      from own join pg_index on indrelid = own.oid
    order by 1, 2, 3, 5`,
};

const TABLES: Record<Engine, string> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  postgres:
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace " +
    "and not relispartition and relkind in ('r', 'p') order by relname",
};

async function query(databaseUrl: string, sql: string): Promise<readonly Row[]> {
  const orm = await connectOrm(databaseUrl);
  return await createExecutor(orm.em.fork().getConnection().getClient())<Row>(sql, []).finally(() => orm.close(true));
}

/** Reads all rows of all tables, as texts. */
async function readRows(databaseUrl: string, engine: Engine): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = await query(databaseUrl, TABLES[engine]);
  const rows = new Map<string, readonly Row[]>();
  for (const { name } of tables) rows.set(String(name), await query(databaseUrl, `select * from "${name}"`));
  rows.delete("mikro_orm_migrations");
  return rows;
}

/** Leaves of a row the columns that another one has. */
function columnsOf(row: Row, like: Row | undefined): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => like !== undefined && name in like));
}

describe.each(ENGINES.flatMap((engine) => listFixtures().map((version) => [engine, version] as const)))(
  "a database on %s of v%s",
  (engine, version) => {
    const databases = useDatabases(engine);
    const fixture = readFixture(version, engine);

    async function load(): Promise<string> {
      const url = databases.newUrl();
      await loadFixture(fixture, url);
      return url;
    }

    it("has after its migration the schema of a new one, and all of its rows", async () => {
      const url = await load();
      const before = await readRows(url, engine);
      const entities = [...before].filter(([name]) => name !== "change_notice");
      expect(entities.filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([]);
      const names = MIGRATIONS[engine].map(({ name }) => name);
      expect(await migrate(url)).toEqual(names.filter((name) => !fixture.migrations.has(name)));
      expect(await query(url, SCHEMA[engine])).toEqual(await query(databases.url, SCHEMA[engine]));
      const after = await readRows(url, engine);
      for (const [name, rows] of before) {
        expect(
          (after.get(name) ?? []).map((row) => columnsOf(row, rows[0])),
          name,
        ).toEqual(rows);
      }
      const store = await openStore(url, { migrate: false });
      const read = await readDatabase(store).finally(() => store.close());
      // Tables that are newer have no rows yet.
      expect(Object.entries(read).filter(([name, found]) => before.has(name) && found.length === 0)).toEqual([]);
    });

    it("is served: its key calls, its records are read, and what it has learned goes on", async () => {
      const service = await startTestService({ databaseUrl: await load() });
      try {
        await checkReaders(service);
        await checkCalls(service, fixture.key);
      } finally {
        await service.close();
      }
    });
  },
);

async function checkReaders({ store }: TestService): Promise<void> {
  const projectId = DEFAULT_PROJECT.id;
  expect((await listKeys(store)).map(({ name }) => name)).toContain("ci");
  const quotas = await readQuotas(store, { projectId, kinds: ["key"] });
  expect(quotas.map(({ settings: limits }) => limits)).toEqual([{ requestsPerMinute: 1000 }]);
  const { accounts, memberships, alerts, datasets, savedViews, settings } = createDashboardStore(store);
  const owner = await accounts.findByEmail("owner@example.com");
  expect((await memberships.listProjects(owner?.id ?? "")).map(({ name }) => name)).toEqual(["default", "search"]);
  expect((await alerts.rules(projectId)).map(({ name }) => name)).toEqual(["slow"]);
  expect((await datasets.list(projectId)).map(({ rows }) => rows)).toEqual([2]);
  expect((await savedViews.list(projectId)).map(({ name }) => name)).toEqual(["failed"]);
  expect((await settings.read(projectId)).bodies).toBe("redacted");
  expect(await verifyAuditLog(store)).toMatchObject({ problem: undefined });
}

async function checkCalls({ url, store }: TestService, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = async (path: string, body?: object) => {
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { headers, ...request });
    expect(answer.status, path).toBe(200);
    return await answer.json();
  };
  const { data } = (await ask("/v1/inferences")) as { data: { id: string }[] };
  expect(data).toHaveLength(8);
  for (const { id } of data) expect((await readInference(store, id))?.content?.input).toBeDefined();
  const workload = { projectId: DEFAULT_PROJECT.id, model: "gpt-6-astra" };
  expect((await readWorkload(store, workload))?.learned?.policy.totals.rewards).toBeGreaterThan(0);
  const id = data[0]?.id;
  const [result] = (await ask("/v1/feedback", [{ id, feedback: { good: true } }])) as { error: unknown }[];
  expect(result).toMatchObject({ error: null });
  const model = "attune/gpt-6-astra";
  await ask("/v1/chat/completions", { model, messages: [{ role: "user", content: "Hello" }] });
  const listed = async () => ((await ask("/v1/inferences")) as { data: object[] }).data.length;
  await expect.poll(listed).toBe(9);
}
