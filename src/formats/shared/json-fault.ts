/** The place where a text stops being JSON. */
interface JsonFault {
  /** UTF-16 units before it. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The expected tokens: `',' or '}'`. Never a part of the text. */
  readonly expected: string;
}

/** The expected tokens outside of texts and numbers, in words. */
const EXPECTED = {
  value: "a value",
  firstItem: "a value or ']'",
  firstName: "a name in double quotes or '}'",
  name: "a name in double quotes",
  colon: "':'",
  end: "the end",
} as const;

type State = keyof typeof EXPECTED;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds where a text stops being JSON; undefined if it is JSON. The parser's own messages have a position for some
 * faults only, and quote the text. Takes time in proportion to the text, and does not recurse.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over the states of the grammar of JSON
export function findJsonFault(text: string): JsonFault | undefined {
  const closers: string[] = [];
  let state = "value" as State;
  let at = 0;
  const fault = (expected: string): JsonFault => ({ position: at, ...lineAt(text, at), expected });
  for (;;) {
    at = skip(SPACE, text, at);
    const found = text[at];
    if (state === "end") {
      const closer = closers.at(-1);
      if (found === undefined && closer === undefined) return undefined;
      if (closer === undefined) return fault(EXPECTED.end);
      if (found === closer) closers.pop();
      else if (found === ",") state = closer === "}" ? "name" : "value";
      else return fault(`',' or '${closer}'`);
    } else if (state === "colon") {
      if (found !== ":") return fault(EXPECTED.colon);
      state = "value";
    } else if (found === getCloser(state)) {
      closers.pop();
      state = "end";
    } else if (found === '"') {
      const end = endOfText(text, at + 1);
      at = end.at;
      if (end.expected !== undefined) return fault(end.expected);
      state = state === "name" || state === "firstName" ? "colon" : "end";
      continue;
    } else if (state === "name" || state === "firstName") {
      return fault(EXPECTED[state]);
    } else if (found === "{" || found === "[") {
      closers.push(found === "{" ? "}" : "]");
      state = found === "{" ? "firstName" : "firstItem";
    } else {
      const end = skip(SCALAR, text, at);
      if (end === at) return fault(EXPECTED[state]);
      at = end;
      state = "end";
      continue;
    }
    at += 1;
  }
}

function getCloser(state: State): string | null {
  if (state === "firstItem") return "]";
  return state === "firstName" ? "}" : null;
}

/** Returns where a text ends whose first character is at `at`, or where it is wrong and what is expected there. */
function endOfText(text: string, start: number): { readonly at: number; readonly expected?: string } {
  let at = start;
  for (;;) {
    at = skip(PLAIN, text, at);
    if (text[at] === '"') return { at: at + 1 };
    if (at === text.length) return { at, expected: "the closing double quote of a text" };
    if (text[at] !== "\\") return { at, expected: "no control character in a text: write it as an escape such as \\n" };
    const end = skip(ESCAPE, text, at);
    if (end === at) return { at, expected: "an escape such as \\n, \\\\ or \\u00e9" };
    at = end;
  }
}

/** Returns where what a sticky expression finds at `at` ends; `at` if it finds nothing. */
function skip(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

function lineAt(text: string, position: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < position; next = text.indexOf("\n", lineStart)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: position - lineStart + 1 };
}
