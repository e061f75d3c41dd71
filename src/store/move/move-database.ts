import { realpathSync } from "node:fs";
import { describeDatabaseUrl, parseDatabaseUrl } from "../database/database-url.ts";
import { createExecutor } from "../database/executor.ts";
import { migrate } from "../database/migrate.ts";
import { connectOrm, type Orm } from "../database/orm.ts";
import { withStatementLimit } from "../database/statement-limit.ts";
import { compareRows, type Difference, type Sides } from "./compare-rows.ts";
import { MoveError } from "./move-error.ts";
import { openSource, withSnapshot } from "./open-source.ts";
import { readChunks } from "./read-rows.ts";
import { countRows, type Side } from "./sql.ts";
import { listTables, type Table } from "./table.ts";
import { type OnConflict, writeRows } from "./write-rows.ts";

const SAME = "--to: this is the same database as --from";

/** Throws a MoveError if a database is moved to itself, or one of them lives in memory. */
function checkPlaces(from: string, to: string): void {
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)];
  for (const [flag, address] of [["--from", source] as const, ["--to", target] as const]) {
    const isMemory = address.engine === "sqlite" && address.file === ":memory:";
    if (isMemory) throw new MoveError(`${flag}: a database in memory ends with the command`);
  }
  if (getPlace(from) === getPlace(to)) throw new MoveError(SAME);
}

/** Rejects with a MoveError if two URLs that look different lead to the same PostgreSQL database. */
async function checkServers(source: Side, target: Side): Promise<void> {
  if (source.engine === "sqlite" || target.engine === "sqlite") return;
  if ((await getIdentity(source)) === (await getIdentity(target))) throw new MoveError(SAME);
}

function getPlace(databaseUrl: string): string {
  const place = describeDatabaseUrl(databaseUrl);
  if (parseDatabaseUrl(databaseUrl).engine === "postgres") return place;
  try {
    return realpathSync(place);
  } catch {
    // It does not exist yet, so it is no other name of one that does.
    return place;
  }
}

async function getIdentity({ execute }: Side): Promise<string> {
  const sql =
    "select pg_postmaster_start_time()::text as started, oid::text as id, current_setting('port') as port " +
    "from pg_database where datname = current_database()";
  return JSON.stringify(await execute(sql, []));
}

/** The options of a move. */
interface MoveOptions {
  readonly from: string;
  readonly to: string;
  /**
   * Brings the schema of the source up to date first; without it an older one is refused, because it is not written to.
   */
  readonly migrateSource?: boolean;
  /** Takes the values of the source where a row of the target has others; without it such a target is refused. */
  readonly overwrite?: boolean;
  /** Told before the first row of a table, and after each chunk. */
  onProgress?(progress: MoveProgress): void;
}

/** The progress of a table. */
export interface MoveProgress {
  readonly step: "compare" | "copy";
  readonly table: string;
  readonly rows: number;
  readonly totalRows: number;
}

/** Rows of a table after the move: as many on both sides. */
interface MovedTable {
  readonly table: string;
  readonly rows: number;
}

type ReportStep = (progress: MoveProgress) => void;

/**
 * Copies every row of one database into another, of the same or the other engine. The source is read as it is at the
 * beginning. A move that was interrupted is run again: what is there already is compared and kept. Rejects with a
 * MoveError where the target is no copy of the source, or has other numbers of rows at the end.
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedTable[]> {
  // It reads whole tables, and tells how far it is.
  return await withStatementLimit(undefined, () => move(options));
}

async function move({ from, to, onProgress = () => {}, ...options }: MoveOptions): Promise<MovedTable[]> {
  checkPlaces(from, to);
  if (options.migrateSource === true) await migrate(from);
  const source = await openSource(from);
  try {
    await migrate(to);
    const target = await connectOrm(to);
    try {
      return await withSnapshot(source, parseDatabaseUrl(from).engine, async (reading) => {
        const writing = getSide(target, to);
        await checkServers(reading, writing);
        const sides = { source: reading, target: writing };
        const tables = listTables(target);
        await checkTarget(sides, tables, { onProgress, overwrite: options.overwrite === true });
        for (const table of tables) await copyTable(sides, table, { target, onProgress, ...options });
        if (writing.engine === "postgres") await writing.execute("analyze", []);
        return await checkCounts(sides, tables);
      });
    } finally {
      await target.close(true);
    }
  } finally {
    await source.close(true);
  }
}

function getSide(orm: Orm, databaseUrl: string): Side {
  const execute = createExecutor(orm.em.fork().getConnection().getClient());
  return { engine: parseDatabaseUrl(databaseUrl).engine, execute };
}

/** Rejects if the target has rows that the source has not, or, unless they are overwritten, with other values. */
async function checkTarget(
  sides: Sides,
  tables: readonly Table[],
  { onProgress, overwrite }: { onProgress: ReportStep; overwrite: boolean },
): Promise<void> {
  const differences: Difference[] = [];
  for (const table of tables) {
    const totalRows = await countRows(sides.target, table);
    let rows = 0;
    const difference = await compareRows(sides, table, (count) => {
      rows += count;
      onProgress({ step: "compare", table: table.name, rows, totalRows });
    });
    if (difference !== undefined && (difference.foreign > 0 || !overwrite)) differences.push(difference);
  }
  if (differences.length > 0) throw new MoveError(describeDifferences(differences));
}

function describeDifferences(differences: readonly Difference[]): string {
  const lines = differences.map(({ table, foreign, changed, example }) => {
    return `  ${table}: ${foreign} rows that the source does not have, ${changed} with other values; ${example}`;
  });
  const isForeign = differences.some(({ foreign }) => foreign > 0);
  const advice = isForeign
    ? "move into an empty database, or into one that an earlier move of this source began"
    : "if the source was in use since an earlier move, --overwrite takes its values";
  return ["--to: the target isn't a copy of the source; nothing was copied", ...lines, advice].join("\n");
}

async function copyTable(
  { source, target: writing }: Sides,
  table: Table,
  { target, onProgress, overwrite }: { target: Orm; onProgress: ReportStep; overwrite?: boolean },
): Promise<void> {
  // The default project of the target is as old as the target.
  const onConflict: OnConflict = overwrite === true || table.name === "project" ? "overwrite" : "keep";
  const totalRows = await countRows(source, table);
  let copied = 0;
  onProgress({ step: "copy", table: table.name, rows: 0, totalRows });
  for await (const rows of readChunks(source, table)) {
    try {
      await target.em
        .fork()
        .getConnection()
        .transactional((transaction) => {
          return writeRows({ ...writing, execute: createExecutor(transaction) }, table, { rows, onConflict });
        });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new MoveError(`${table.name}: ${reason} (among rows ${copied + 1} to ${copied + rows.length})`, {
        cause: thrown,
      });
    }
    copied += rows.length;
    onProgress({ step: "copy", table: table.name, rows: copied, totalRows });
  }
}

async function checkCounts({ source, target }: Sides, tables: readonly Table[]): Promise<MovedTable[]> {
  const moved: MovedTable[] = [];
  const wrong: string[] = [];
  for (const table of tables) {
    const [expected, rows] = [await countRows(source, table), await countRows(target, table)];
    if (rows === expected) moved.push({ table: table.name, rows });
    else wrong.push(`  ${table.name}: ${expected} rows in the source, ${rows} in the target`);
  }
  if (wrong.length > 0) throw new MoveError(["the row counts differ", ...wrong].join("\n"));
  return moved;
}
