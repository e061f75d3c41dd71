/** A value of feedback as the command line has it. */
export interface NamedValue {
  readonly name: string;
  /** Null takes back what was sent under the name. */
  readonly value: boolean | number | string | null;
}

/** The options of `attune feedback`. */
export interface FeedbackOptions {
  readonly session?: string;
  readonly id?: string;
  readonly url: string;
  readonly tag: Readonly<Record<string, string>>;
  readonly reason?: string;
}
