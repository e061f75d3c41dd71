/**
 * Values of a statement that SQLite executes once for each row, in one call of the driver: to go through all its layers
 * for each row takes longer than to write the row. Given as the only value of a statement, which then returns a Changed
 * for each row.
 */
export class ValueRows {
  /** The values of one row are read before those of the next are asked for. From the beginning each time. */
  readonly rows: Iterable<readonly unknown[]>;

  constructor(rows: Iterable<readonly unknown[]>) {
    this.rows = rows;
  }
}

/** The changes made by one row of values. */
export interface Changed {
  /** Rows of the table that were inserted or updated. */
  readonly changes: number;
}

/** Returns the rows of values that a statement is given, if it is given such. */
export function readValueRows(parameters: readonly unknown[]): ValueRows | undefined {
  const [only] = parameters;
  return only instanceof ValueRows ? only : undefined;
}
