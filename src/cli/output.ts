/** Prints a line for people. */
export function print(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** Prints one object for programs. */
export function printJson(value: object): void {
  print(JSON.stringify(value));
}

/** Prints a list for programs: all lists of the command line have this form. */
export function printJsonList(data: readonly object[]): void {
  printJson({ data });
}

/** Tells people how far something is, apart from what the command prints. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends a command that failed: the message goes to standard error, the exit status is 1. */
export function fail(message: string): never {
  process.stderr.write(`attune: ${message}\n`);
  process.exit(1);
}

/** Prints rows below their headings, in columns. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  for (const row of [headings, ...rows]) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
