import { realpathSync } from "node:fs";
import { describeDatabaseUrl, parseDatabaseUrl } from "../database/database-url.ts";
import { MoveError } from "./move-error.ts";
import type { Side } from "./sql.ts";

const SAME = "--to: this is the same database as --from";

/** Throws a MoveError if a database is moved to itself, or one of them lives in memory. */
export function checkPlaces(from: string, to: string): void {
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)];
  for (const [flag, address] of [["--from", source] as const, ["--to", target] as const]) {
    const isMemory = address.engine === "sqlite" && address.file === ":memory:";
    if (isMemory) throw new MoveError(`${flag}: a database in memory ends with the command`);
  }
  if (placeOf(from) === placeOf(to)) throw new MoveError(SAME);
}

/** Rejects with a MoveError if two URLs that look different lead to the same PostgreSQL database. */
export async function checkServers(source: Side, target: Side): Promise<void> {
  if (source.engine === "sqlite" || target.engine === "sqlite") return;
  if ((await identityOf(source)) === (await identityOf(target))) throw new MoveError(SAME);
}

function placeOf(databaseUrl: string): string {
  const place = describeDatabaseUrl(databaseUrl);
  if (parseDatabaseUrl(databaseUrl).engine === "postgres") return place;
  try {
    return realpathSync(place);
  } catch {
    // It does not exist yet, so it is no other name of one that does.
    return place;
  }
}

async function identityOf({ execute }: Side): Promise<string> {
  const sql =
    "select pg_postmaster_start_time()::text as started, oid::text as id, current_setting('port') as port " +
    "from pg_database where datname = current_database()";
  return JSON.stringify(await execute(sql, []));
}
