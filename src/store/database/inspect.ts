import { existsSync } from "node:fs";
import { checkColumns } from "./check-columns.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database-url.ts";
import { checkExecuted, listExecuted } from "./migrate.ts";
import { explainOpenError } from "./open-store.ts";
import { connectOrm, type Orm } from "./orm.ts";
import { withTimeout } from "./with-timeout.ts";

/** The state of a database. */
type DatabaseState =
  /** `nowMs` is its clock, where it has one of its own. */
  | { readonly kind: "ready"; readonly nowMs: number | undefined }
  | { readonly kind: "absent" }
  /** `message` says what is wrong with it, and what to do. */
  | { readonly kind: "unusable"; readonly message: string };

const LIMIT_MS = 10_000;
/** PostgreSQL's code for a database that does not exist. */
const INVALID_CATALOG = "3D000";
const CLOCK = "select extract(epoch from clock_timestamp()) * 1000 as now";

/** Looks at a database, and makes or changes nothing. */
export async function inspectDatabase(databaseUrl: string): Promise<DatabaseState> {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "sqlite") {
    if (address.file === ":memory:") return { kind: "ready", nowMs: undefined };
    if (!existsSync(address.file)) return { kind: "absent" };
  }
  let orm: Orm | undefined;
  try {
    orm = await connectOrm(databaseUrl, { isReadOnly: true });
    return await withTimeout(look(orm, address), LIMIT_MS);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === INVALID_CATALOG) return { kind: "absent" };
    return { kind: "unusable", message: explainOpenError(thrown) };
  } finally {
    // A server that does not answer is not waited for.
    if (orm !== undefined) await withTimeout(orm.close(true), LIMIT_MS).catch(() => {});
  }
}

async function look(orm: Orm, address: DatabaseAddress): Promise<DatabaseState> {
  const connection = orm.em.getConnection();
  return await connection.transactional(async (transaction): Promise<DatabaseState> => {
    let nowMs: number | undefined;
    if (address.engine === "postgres") {
      const [row] = await connection.execute<{ now: string }[]>(CLOCK, [], "all", transaction);
      nowMs = Number(row?.now);
    }
    const { engine } = address;
    const newer = checkExecuted(await listExecuted(orm, engine, transaction), engine);
    await checkColumns(orm, { engine, newer, transaction });
    return { kind: "ready", nowMs };
  });
}
