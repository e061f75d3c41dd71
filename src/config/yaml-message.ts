import type { ErrorCode } from "yaml";

/** The messages for invalid YAML. The parser's own messages quote the file, which may hold secrets. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: "an alias stands where none can, or has no anchor",
  BAD_DQ_ESCAPE: "a text in double quotes has an escape that does not exist: write \\\\ for a backslash",
  BAD_INDENT: "the indentation does not match the lines above, or a bracket or a brace is not closed",
  BAD_SCALAR_START: "a text begins with a sign that is reserved: put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "two keys stand in one line, or a text with ': ' lacks its quotes",
  BLOCK_IN_FLOW: "an indented list or map stands inside brackets or braces",
  DUPLICATE_KEY: "the key stands here twice: leave one",
  MISSING_CHAR: "a quote, a bracket, a brace, a comma or a colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key spans lines, or its ':' is missing",
  MULTIPLE_DOCS: "the file holds more than one document: leave out '---'",
  TAB_AS_INDENT: "a tab stands in the indentation: use spaces",
  UNEXPECTED_TOKEN: "a sign stands where none can: put texts with { } [ ] , in quotes, also references inside braces",
  TAG_RESOLVE_FAILED: "a tag is not known: leave out '!...'",
};

/** Explains an error or a warning of the YAML parser. */
export function yamlMessage(code: ErrorCode): string {
  return `is not valid YAML: ${MESSAGES[code] ?? `the parser says ${code}`}`;
}
