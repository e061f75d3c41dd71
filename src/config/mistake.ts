/** Something in the configuration that must be changed. */
export interface Mistake {
  /** From 1; 0 for what does not stand in the file. */
  readonly line: number;
  /** From 1; 0 for what does not stand in the file. */
  readonly column: number;
  /** Place: `models[0].price.input`, or the name of an environment variable. */
  readonly path: string;
  /** The change to make. It never holds a value of the configuration, which may be a secret. */
  readonly message: string;
}

/** A configuration that cannot be used. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** File as it was named; undefined if there is none. */
  readonly file: string | undefined;
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[];

  constructor(file: string | undefined, mistakes: readonly Mistake[]) {
    const sorted = mistakes.toSorted((one, other) => one.line - other.line || one.column - other.column);
    // A value may break several rules that ask for the same.
    super([...new Set(sorted.map((mistake) => describeMistake(file, mistake)))].join("\n"));
    this.file = file;
    this.mistakes = sorted;
  }
}

function describeMistake(file: string | undefined, { line, column, path, message }: Mistake): string {
  if (line > 0) return `${file}:${line}:${column} ${path === "" ? "" : `${path} `}${message}`;
  return path === "" ? `${file} ${message}` : `${path} ${message}`;
}

/** A place in the configuration: keys and positions. */
export type Path = readonly PropertyKey[];

/** Writes a place as people do: `models[0].price.input`. */
export function pathText(path: Path): string {
  let written = "";
  for (const step of path) {
    if (typeof step === "number") written += `[${step}]`;
    else written += written === "" ? String(step) : `.${String(step)}`;
  }
  return written;
}
