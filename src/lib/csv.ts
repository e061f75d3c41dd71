type Cell = string | number | null;

/** Encodes rows as CSV of RFC 4180, with a heading. Null is an empty cell. */
export function encodeCsv(columns: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(encodeCell).join(",")}\r\n`).join("");
}

function encodeCell(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
