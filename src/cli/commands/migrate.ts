import { describeDatabaseUrl } from "../../store/database/database-url.ts";
import { migrate as migrateDatabase } from "../../store/database/migrate.ts";
import { moveDatabase } from "../../store/move/move-database.ts";
import { defineRootCommand, flag, option } from "../command.ts";
import { fail, print, printTable, tell } from "../output.ts";
import { createProgressLine } from "../progress-line.ts";
import { readConfig } from "../with-config.ts";

const HELP = `
Without --from, the configured database is brought up to date.

With --from, every table of that database is copied into the one of --to, or else into the configured one.

Stop the service first: what it writes during the move is not in it. The source is only read. A move that was
interrupted is run again, and goes on. The target must be empty, or what an earlier move of the same source left. A
password is better not in the command line: set ATTUNE_DATABASE_URL to the target, and leave --to out. See
docs/database.md.`;

/** `attune migrate`. */
export const migrate = defineRootCommand({
  options: {
    from: option("url", "database to move: sqlite:PATH or postgresql://..."),
    to: option("url", "target database, instead of the configured one"),
    overwrite: flag("overwrite moved rows that changed in the source since"),
    migrateSource: flag("migrate the source first; otherwise it is only read"),
  },
  help: HELP,
  examples: ["attune migrate --from sqlite:./data/attune.db --to postgresql://user:password@host:5432/attune"],
  findMistake({ from, to, overwrite, migrateSource }) {
    if (from !== undefined) return undefined;
    const needing = { "--to": to, "--overwrite": overwrite, "--migrate-source": migrateSource };
    const [flagName] = Object.entries(needing).find(([, value]) => value) ?? [];
    return flagName === undefined ? undefined : `option '${flagName}' needs --from`;
  },
  async run({ from, ...options }) {
    await (from === undefined ? bringUpToDate() : move({ from, ...options }));
  },
});

async function bringUpToDate(): Promise<void> {
  const { url } = readConfig().database;
  const location = describeDatabaseUrl(url);
  try {
    const applied = await migrateDatabase(url, (seconds) => tell(`still at it, for ${seconds} s so far`));
    print(`${location} is up to date`);
    for (const name of applied) print(`  applied ${name}`);
  } catch (thrown) {
    fail(`cannot migrate the database at ${location}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

interface MoveOptions {
  readonly from: string;
  /** The configured database where it is not given. */
  readonly to: string | undefined;
  readonly overwrite: boolean;
  readonly migrateSource: boolean;
}

/** Moves a database into another one, and tells how far it is. */
async function move({ from, to, ...options }: MoveOptions): Promise<void> {
  const target = to ?? readConfig().database.url;
  const line = createProgressLine({
    isTerminal: process.stdout.isTTY === true,
    write: (text) => process.stdout.write(text),
  });
  try {
    const [source, place] = [describe("--from", from), describe("--to", target)];
    print(`moves ${source} to ${place}`);
    const started = performance.now();
    const moved = await moveDatabase({ from, to: target, ...options, onProgress: line.show });
    line.end();
    printTable(
      ["TABLE", "ROWS"],
      moved.map(({ table, rows }) => [table, rows.toLocaleString("en")]),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`success: ${place} has the same numbers of rows in all ${moved.length} tables; it took ${seconds} s`);
  } catch (thrown) {
    line.end();
    fail(`the move failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** A URL that cannot be read is told by its flag. */
function describe(flag: string, url: string): string {
  try {
    return describeDatabaseUrl(url);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(reason.replace(/^database\.url/, flag), { cause: thrown });
  }
}
