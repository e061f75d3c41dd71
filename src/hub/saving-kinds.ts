/**
 * The reasons why an inference costs less, or more, than the plain call of its base model: marks for a prompt cache,
 * the answer of an identical request that was under way or was kept, the choice among a model's deployments, the choice
 * of another model; and further calls, after failures, beside slow ones, for answers that failed a check, and for
 * several to choose from.
 */
export const SAVING_KINDS = [
  ...(["cacheMarks", "coalescing", "responseCache", "choice", "routing"] as const),
  ...(["failover", "hedging", "retry", "candidates"] as const),
] as const;

/** One of them. */
export type SavingKind = (typeof SAVING_KINDS)[number];

/** Nano-USD by kind, less than zero for what was spent beyond the plain call; a kind that did nothing is not there. */
export type Savings = Readonly<Partial<Record<SavingKind, number>>>;

/** Name of the column that sums a kind up. */
type SavedColumn = `saved${Capitalize<SavingKind>}Nanos`;

/** Columns that sum up what was saved, by kind. */
export const SAVED_COLUMNS = {
  cacheMarks: "savedCacheMarksNanos",
  coalescing: "savedCoalescingNanos",
  responseCache: "savedResponseCacheNanos",
  choice: "savedChoiceNanos",
  routing: "savedRoutingNanos",
  failover: "savedFailoverNanos",
  hedging: "savedHedgingNanos",
  retry: "savedRetryNanos",
  candidates: "savedCandidatesNanos",
} as const satisfies { readonly [Kind in SavingKind]: `saved${Capitalize<Kind>}Nanos` };

/** Sums of what was saved by nothing. */
export const NO_SAVINGS = Object.fromEntries(Object.values(SAVED_COLUMNS).map((column) => [column, 0])) as Readonly<
  Record<SavedColumn, number>
>;
