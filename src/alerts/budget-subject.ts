const BUDGETS: Readonly<Record<string, string>> = {
  costNanosPerDay: "USD a day",
  costNanosPerMonth: "USD a month",
  costNanosTotal: "USD in all",
};

/** Returns the subject of alerts about a budget: `USD a day of key 2b7c`. */
export function budgetSubject(rule: string, owner: string): string {
  return `${BUDGETS[rule] ?? rule} of ${owner}`;
}

/** Returns the owner of a budget that is an end user's. */
export function endUserOwner(endUserId: string): string {
  return `end user ${endUserId}`;
}

/** Returns the subjects of alerts that name an end user. */
export function endUserSubjects(endUserId: string): string[] {
  return Object.keys(BUDGETS).map((rule) => budgetSubject(rule, endUserOwner(endUserId)));
}
