/** Prints a figure of a test, in a line of its own. */
export function report(line: string): void {
  process.stdout.write(`\n  ${line}\n`);
}
