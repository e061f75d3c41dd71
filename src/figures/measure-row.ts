/** A column of the rollups of calls, by its property there; with `of` only of the calls with that status. */
export interface Source {
  readonly property: string;
  readonly of?: "completed" | "failed";
  /** SQL of what a row of inferences adds, where it is no column of these. */
  readonly perCall?: string;
}

/** A figure in reports of usage: RPC, JSON, CSV and `attune usage`. */
export interface Report {
  /**
   * Name and number of its field in the message `Figures`, which `npm run generate` writes. JSON and CSV have the same
   * name, but costs in USD: `cost_usd` for `cost_nano_usd`.
   */
  readonly field: string;
  readonly number: number;
  /** Its comment in the proto, and its description in the OpenAPI document. */
  readonly text: string;
  readonly example: number;
}

/** A figure on the page Overview. */
export interface Shown {
  /** Its name in the page's data. */
  readonly column: string;
  /** The chart that shows it group by group. */
  readonly chart?: {
    readonly title: string;
    /** The name under which it is chosen, the same in all groupings; the title where it is not given. */
    readonly name?: string;
    /** The unit of its values; the length of a step follows. */
    readonly unit: string;
    readonly format: ChartFormat;
    /** The text shown when all values are zero. */
    readonly empty?: string;
  };
  /**
   * The chart that shows it beside others where all calls are taken together, in place of its own; without a label it is
   * what the others add up to.
   */
  readonly part?: { readonly of: CombinedChart; readonly label?: string };
}

/** Notations of the values of charts. */
export type ChartFormat = "number" | "short" | "cost" | "duration";

/** The charts of several figures. */
export type CombinedChart = "Latency" | "Tokens";

/**
 * A sum of calls; a measure made of sums; or a percentile in milliseconds. The latter two are null where nothing was
 * measured, and cannot be added up then.
 */
type Measured =
  | Source
  | { readonly sums: readonly string[]; readonly derive: (...sums: number[]) => number | null }
  | { readonly histogram: string; readonly share: number };

/** A row of the table: what a figure is, and where it stands. Nothing else has to be written for it. */
export type MeasureRow = Measured & { readonly report?: Report; readonly page?: Shown };
