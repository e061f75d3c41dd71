/** Efforts that a budget of thinking tokens can ask for. */
export const BUDGET_EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** One of them. */
export type BudgetEffort = (typeof BUDGET_EFFORTS)[number];

/** The tokens that a budget has to exceed for each effort; one that is absent is never asked for. */
export type BudgetEfforts = Readonly<Partial<Record<BudgetEffort, number | undefined>>>;

/** The efforts of a model that names none. */
export const DEFAULT_BUDGET_EFFORTS: BudgetEfforts = { low: 0, medium: 2048, high: 16_384 };
