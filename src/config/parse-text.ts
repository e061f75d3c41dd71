import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from "yaml";
import { type Environment, interpolate, type ReadReferenced } from "./interpolate.ts";
import { type Mistake, type Path, pathText } from "./mistake.ts";

/** A configuration file, read and interpolated. */
export interface ParsedText {
  /** Its content; an empty map for an empty file. */
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
  /** Variables that are not set, by the optional places that refer to them: `upstreams.up.apiKey`. */
  readonly unset: ReadonlyMap<string, string>;
  /** Places of members that may be empty and are: their maps lack them. */
  readonly emptied: readonly Path[];
  /** Makes a mistake at a value, or at its key; at the nearest place above it that exists if it is missing. */
  mistake(path: Path, message: string, at?: "key"): Mistake;
}

/** The values that a configuration may refer to. */
export interface References {
  readonly environment: Environment;
  readonly readReferenced: ReadReferenced;
}

/** Parses YAML and replaces references in its values, never in its keys or its structure. */
export function parseText(source: string, references: References): ParsedText {
  const lines = new LineCounter();
  // Pretty errors quote the file, which may hold secrets.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const position = (offset: number): Pick<Mistake, "line" | "column"> => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const mistake: ParsedText["mistake"] = (path, message, at) => {
    return { ...position(getOffset(document, path, at)), path: pathText(path), message };
  };
  const broken = withoutConsequences([...document.errors, ...document.warnings]).map(({ pos, code }) => {
    return { ...position(pos[0]), path: "", message: yamlMessage(code) };
  });
  const unset = new Map<string, string>();
  const emptied: Path[] = [];
  const known = { unset, emptied, mistake };
  if (broken.length > 0) return { value: {}, mistakes: firstOfEachLine(broken), ...known };
  const mistakes: Mistake[] = [];
  replaceReferences(document.contents, [], { ...references, mistakes, ...known });
  try {
    return { value: document.toJS() ?? {}, mistakes, ...known };
  } catch {
    return { value: {}, mistakes: [mistake([], "repeats too much by aliases: write it out")], ...known };
  }
}

/** Errors of the parser that leave the structure around them as it is. */
const CONTAINED: ReadonlySet<ErrorCode> = new Set([
  "BAD_ALIAS",
  "BAD_DQ_ESCAPE",
  "DUPLICATE_KEY",
  "TAG_RESOLVE_FAILED",
]);

/** Drops the errors behind one of structure, which follow from it as a rule; a tab is a mistake wherever it stands. */
function withoutConsequences(errors: readonly YAMLError[]): YAMLError[] {
  const inOrder = errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  const first = inOrder.findIndex(({ code }) => !CONTAINED.has(code));
  return inOrder.filter(({ code }, at) => first === -1 || at <= first || code === "TAB_AS_INDENT");
}

/** One error in a line leads to others behind it. */
function firstOfEachLine(mistakes: readonly Mistake[]): Mistake[] {
  return mistakes.filter(({ line }, position) => mistakes.findIndex((other) => other.line === line) === position);
}

interface Replacement extends References {
  readonly mistakes: Mistake[];
  readonly unset: Map<string, string>;
  readonly emptied: Path[];
  readonly mistake: ParsedText["mistake"];
}

/** Ends a reference to a variable or a file that may be empty. */
const MAY_BE_EMPTY = ":-}";

/** Returns whether the value is to be dropped: it may be empty and is, or is optional and its variable is not set. */
function replaceReferences(node: unknown, path: Path, replacement: Replacement): boolean {
  if (isMap(node)) {
    node.items = node.items.filter(
      ({ key, value }) => !replaceReferences(value, [...path, isScalar(key) ? String(key.value) : ""], replacement),
    );
  } else if (isSeq(node)) {
    const items: unknown[] = [];
    for (const item of node.items) if (!replaceReferences(item, [...path, items.length], replacement)) items.push(item);
    node.items = items;
  } else if (isScalar(node) && typeof node.value === "string") {
    const result = interpolate(node.value, replacement.environment, replacement.readReferenced);
    const isDropped = result.kind === "unset" && isOptional(path);
    if (result.kind === "text") {
      const isEmpty = result.text === "" && node.value.includes(MAY_BE_EMPTY);
      node.value = result.text;
      if (isEmpty) replacement.emptied.push(path);
      return isEmpty;
    }
    if (isDropped) replacement.unset.set(pathText(path), result.variable);
    else replacement.mistakes.push(replacement.mistake(path, referenceMessage(result)));
    return isDropped;
  }
  return false;
}

function referenceMessage(result: Exclude<ReturnType<typeof interpolate>, { kind: "text" }>): string {
  if (result.kind === "unset") {
    return (
      `refers to the environment variable ${result.variable}, which is not set: set it, or write ` +
      `\${${result.variable}:-default}`
    );
  }
  if (result.kind === "unreadable") {
    return `refers to the file ${result.file}, which cannot be read (${result.code}): mount it, and let this user read it`;
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text shows how references are written.
  return "has a reference that is not complete: write ${NAME}, ${NAME:-default} or ${file:/path}, or $${ for a plain ${";
}

/** Keys that are absent if the variable that they refer to is not set. */
function isOptional(path: Path): boolean {
  return pathText(path) === "bootstrapKey" || (path[0] === "upstreams" && path.length === 3 && path[2] === "apiKey");
}

/** Finds where a place stands in the text: a scalar, or the key of anything else. */
function getOffset(document: Document, path: Path, at?: "key"): number {
  let node: unknown = document.contents;
  let offset = getStart(node) ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) return offset;
      node = pair.value;
      const value = at !== "key" && isScalar(node) && node.value !== null ? getStart(node) : undefined;
      offset = value ?? getStart(pair.key) ?? offset;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      offset = getStart(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function getStart(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** The messages for invalid YAML. The parser's own messages quote the file, which may hold secrets. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  BAD_ALIAS: "an alias isn't allowed here, or has no anchor",
  BAD_DQ_ESCAPE: "a text in double quotes has an escape that does not exist: write \\\\ for a backslash",
  BAD_INDENT: "the indentation does not match the lines above, or a bracket or a brace is not closed",
  BAD_SCALAR_START: "a text begins with a sign that is reserved: put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "two keys are in one line, or a text with ': ' isn't in quotes",
  BLOCK_IN_FLOW: "an indented list or map is inside brackets or braces",
  DUPLICATE_KEY: "the key is here twice: remove one",
  MISSING_CHAR: "a quote, a bracket, a brace, a comma or a colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key spans lines, or its ':' is missing",
  MULTIPLE_DOCS: "the file holds more than one document: leave out '---'",
  TAB_AS_INDENT: "the indentation has a tab: use spaces",
  UNEXPECTED_TOKEN: "unexpected character: put texts with { } [ ] , in quotes, also references inside braces",
  TAG_RESOLVE_FAILED: "a tag is not known: leave out '!...'",
};

/** Explains an error or a warning of the YAML parser. */
function yamlMessage(code: ErrorCode): string {
  return `is not valid YAML: ${MESSAGES[code] ?? `the parser says ${code}`}`;
}
