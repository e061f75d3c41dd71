/** The first module of each entry of the bundle: stack traces name the sources. Nothing is read before a stack is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findSource, type LineTable } from "./line-table.ts";

const FOLDER = `${pathToFileURL(import.meta.dirname).href}/`;

/** The place in a stack frame: a file of this bundle without its folder, line and column. */
const PLACE = new RegExp(`${RegExp.escape(FOLDER)}([^/:]+):(\\d+):(\\d+)`);

const tables = new Map<string, LineTable | undefined>();

Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map(describe)].join("\n    at ");

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "an error that cannot be described";
  }
}

function describe(frame: NodeJS.CallSite): string {
  return String(frame).replace(PLACE, (place, file: string, line: string, column: string) => {
    const table = tableOf(file);
    return (table && findSource(table, Number(line), Number(column))) ?? place;
  });
}

function tableOf(file: string): LineTable | undefined {
  if (!tables.has(file)) tables.set(file, readTable(file));
  return tables.get(file);
}

/** The files are those of the bundle: the map is bounded by them. */
function readTable(file: string): LineTable | undefined {
  try {
    const { sources, rows } = JSON.parse(readFileSync(join(import.meta.dirname, `${file}.lines.json`), "utf8")) as {
      sources: string[];
      rows: string;
    };
    return { sources, rows: new Uint32Array(new Uint8Array(Buffer.from(rows, "base64")).buffer) };
  } catch {
    return undefined;
  }
}
