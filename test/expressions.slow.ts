import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { threadMs } from "./support/thread-ms.ts";

/** Files with expressions that take the square of some texts, and why they never see one of these. */
const REVIEWED: Readonly<Record<string, string>> = {
  "src/config/interpolate.ts": "reads the operator's own file",
  "src/dashboard/features/history/web/request/indent-json.ts": "reads what has been parsed as JSON: texts in it end",
};

/** Repetitions of a bait: the square of so many is some hundred milliseconds. */
const REPETITIONS = 20_000;
/** What takes less is not looked at further: most expressions take a hundredth of it, on a slow machine too. */
const MOST_MS = 25;
/** Growth of the time between a text and one of four times its length: 4 where it is linear, 16 where it is the square. */
const [TIMES, MOST_GROWTH] = [4, 8];
const TRIES = 3;
/** Characters of the longest bait. */
const MOST_BAIT = 8;

const ROOT = join(import.meta.dirname, "..");

interface Expression {
  /** Path below the project's folder. */
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

function expressionsOf(file: string): Expression[] {
  const code = readFileSync(join(ROOT, file), "utf8");
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
    if (regex !== undefined) {
      found.push({ file, line: code.slice(0, start).split("\n").length, ...regex });
    }
    Object.values(node).forEach(walk);
  };
  walk(parseAst(code, { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

/** A text that an expression matches, or nearly so: each part once, the first of what there is to choose from. */
function sampleOf(node: AST.Node): string {
  switch (node.type) {
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return node.alternatives.map(sampleOf).join("");
    case "Alternative":
      return node.elements.map(sampleOf).join("");
    case "Quantifier":
      return sampleOf(node.element);
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
      return { any: "x", digit: "1", space: " ", word: "a", property: "é" }[node.kind];
    case "CharacterClass": {
      const [first] = node.elements;
      return node.negate || first === undefined ? "x" : sampleOf(first as AST.Node);
    }
    case "CharacterClassRange":
      return sampleOf(node.min);
    default:
      return "";
  }
}

/** All that is written in a row in the sample, in short. */
function baitsOf({ pattern, flags }: Pick<Expression, "pattern" | "flags">): Set<string> {
  const sample = sampleOf(new RegExpParser().parsePattern(pattern, 0, pattern.length, /[uv]/.test(flags)));
  const baits = new Set<string>();
  for (let from = 0; from < sample.length; from++) {
    for (let length = 1; length <= MOST_BAIT; length++) baits.add(sample.slice(from, from + length));
  }
  return baits;
}

/** The least processor time of three runs over a text that ends with what the expression does not match. */
function cpuMsOf(expression: RegExp, bait: string, repetitions: number): number {
  const text = `${bait.repeat(repetitions)}\u0001`;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < TRIES && least >= MOST_MS; run++) {
    const before = threadMs();
    text.replace(expression, "");
    least = Math.min(least, threadMs() - before);
  }
  return least;
}

function isSlow({ pattern, flags }: Pick<Expression, "pattern" | "flags">, bait: string): boolean {
  const expression = new RegExp(pattern, flags);
  const long = cpuMsOf(expression, bait, REPETITIONS);
  if (long < MOST_MS) return false;
  return long / cpuMsOf(expression, bait, REPETITIONS / TIMES) > MOST_GROWTH;
}

function findBait(expression: Pick<Expression, "pattern" | "flags">): string | undefined {
  return [...baitsOf(expression)].find((bait) => isSlow(expression, bait));
}

describe("regular expressions", () => {
  it("take no more than linear time for runs of what they look for", () => {
    const files = globSync("src/**/*.{ts,tsx}", { cwd: ROOT }).filter((file) => !(file in REVIEWED));
    const expressions = files.flatMap(expressionsOf);
    expect(expressions.length).toBeGreaterThan(200);
    const slow = expressions.flatMap((expression) => {
      const { file, line, pattern } = expression;
      const bait = findBait(expression);
      return bait === undefined ? [] : [`${file}:${line} /${pattern}/ for many of '${bait}'`];
    });
    expect(slow).toEqual([]);
  });

  it.each([/=+$/, /(?:\[\d+\])+$/])("are found slow that are: %s", (slow) => {
    expect(findBait({ pattern: slow.source, flags: slow.flags })).toBeDefined();
  });
});
