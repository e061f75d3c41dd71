import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ReplaySet } from "./replay-set.ts";

/** A file that cannot be replayed. The message names the line and the field. */
class RowError extends Error {
  override readonly name = "RowError";
}

/** Longest line that is read; a file without line ends would fill the memory. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** Reads rows from JSON lines, of which gzip is told by its first bytes. */
export async function readRows(file: string): Promise<ReplaySet> {
  const rows = new RowCollector();
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (text.length > LONGEST_LINE) throw new RowError(`line ${line} is longer than ${LONGEST_LINE} characters`);
    if (text.trim() === "") continue;
    try {
      rows.add(text);
    } catch (thrown) {
      throw new RowError(`line ${line}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return rows.finish();
}

/**
 * Splits a file at line feeds. Not by readline, which also ends lines at U+2028 and U+2029: JSON may have these inside
 * strings.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const text of textOfFile(file)) {
    const [first = "", ...others] = text.split("\n");
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    // The reader refuses it by its length.
    if (rest.length > LONGEST_LINE) break;
  }
  if (rest !== "") yield rest;
}

async function* textOfFile(file: string): AsyncGenerator<string> {
  const isGzip = await startsAsGzip(file);
  const source = createReadStream(file);
  const decoder = new TextDecoder();
  // The pipeline destroys both ends when either fails or the reader leaves.
  const bytes = isGzip ? pipeline(source, createGunzip(), () => {}) : source;
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk as Buffer, { stream: true });
  } catch (thrown) {
    if (bytes === source || source.errored === thrown) throw thrown;
    throw new RowError(`the file is no sound gzip: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  yield decoder.decode();
}

async function startsAsGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 })) {
    return Buffer.isBuffer(chunk) && chunk[0] === 0x1f && chunk[1] === 0x8b;
  }
  return false;
}

type Fields = Readonly<Record<string, unknown>>;

class RowCollector {
  #models: string[] | undefined;
  #hasCosts = false;
  readonly #families = new Map<string, number>();
  readonly #familyOf: number[] = [];
  readonly #prompts: string[] = [];
  readonly #scores: number[] = [];
  readonly #costs: number[] = [];

  add(text: string): void {
    const row = fieldsOf(parse(text), "the row");
    const family = textOf(row, "dataset");
    const prompt = textOf(row, "prompt");
    const scores = fieldsOf(row["scores"], "scores");
    const costs = row["cost"] === undefined ? undefined : fieldsOf(row["cost"], "cost");
    const models = this.#modelsOf(scores, costs);
    const values = models.map((model) => numberOf(scores, "scores", { model, most: 1 }));
    const prices = costs && models.map((model) => numberOf(costs, "cost", { model, most: Number.MAX_VALUE }));
    if ((prices !== undefined) !== this.#hasCosts) {
      throw new Error(
        this.#hasCosts ? "cost is missing, and earlier rows have it" : "cost is given, and earlier rows have none",
      );
    }
    const number = this.#families.get(family) ?? this.#families.size;
    this.#families.set(family, number);
    this.#familyOf.push(number);
    this.#prompts.push(prompt);
    this.#scores.push(...values);
    if (prices !== undefined) this.#costs.push(...prices);
  }

  finish(): ReplaySet {
    if (this.#models === undefined) throw new RowError("the file has no rows");
    return {
      models: this.#models,
      families: [...this.#families.keys()],
      familyOf: Int32Array.from(this.#familyOf),
      prompts: this.#prompts,
      scores: Float64Array.from(this.#scores),
      costs: this.#hasCosts ? Float64Array.from(this.#costs) : undefined,
    };
  }

  /** The first row says which models there are; every other row has to have the same. */
  #modelsOf(scores: Fields, costs: Fields | undefined): readonly string[] {
    if (this.#models === undefined) {
      const models = Object.keys(scores);
      if (models.length === 0) throw new Error("scores names no model");
      this.#models = models;
      this.#hasCosts = costs !== undefined;
    }
    const known = this.#models;
    const stranger = Object.keys(scores).find((model) => !known.includes(model));
    if (stranger !== undefined) throw new Error(`scores.${stranger}: the first row does not have this model`);
    return known;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("is no JSON");
  }
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${name} must be an object`);
  return value as Fields;
}

function textOf(row: Fields, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new Error(`${name} ${value === undefined ? "is missing" : "must be a text"}`);
  return value;
}

function numberOf(fields: Fields, name: string, { model, most }: { model: string; most: number }): number {
  const value = Object.hasOwn(fields, model) ? fields[model] : undefined;
  if (value === undefined) throw new Error(`${name}.${model} is missing`);
  if (typeof value !== "number" || !(value >= 0 && value <= most)) {
    throw new Error(`${name}.${model} must be a number from 0${most === 1 ? " to 1" : ""}`);
  }
  return value;
}
