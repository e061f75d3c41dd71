import { describeDatabaseUrl } from "../store/database/database-url.ts";
import { moveDatabase } from "../store/move/move-database.ts";
import { fail, print, printTable } from "./output.ts";
import { createProgressLine } from "./progress-line.ts";
import { readConfig } from "./with-config.ts";

/** The parsed flags. */
interface MoveFlags {
  readonly from: string;
  /** The configured database where it is not given. */
  readonly to: string | undefined;
  readonly overwrite: boolean;
  readonly migrateSource: boolean;
}

/** Moves a database into another one, and says how far it is, what was moved, and whether that succeeded. */
export async function runMove({ from, to, ...options }: MoveFlags): Promise<void> {
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
