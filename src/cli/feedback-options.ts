/** A value of feedback as the command line has it. */
export interface NamedValue {
  readonly name: string;
  readonly value: boolean | number | string;
}

/** The options of `attune feedback`. */
export interface FeedbackOptions {
  readonly session?: string;
  readonly id?: string;
  readonly url: string;
  readonly tag: Readonly<Record<string, string>>;
  readonly reason?: string;
}
