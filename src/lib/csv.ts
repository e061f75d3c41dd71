type Cell = string | number | null;

/** Beginnings of texts that spreadsheets compute: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Encodes rows as CSV of RFC 4180, with a heading. Null is an empty cell. A text that a spreadsheet would compute has
 * an apostrophe before it.
 */
export function encodeCsv(columns: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(encodeCell).join(",")}\r\n`).join("");
}

function encodeCell(cell: Cell): string {
  if (cell === null) return "";
  const text = typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
