import { BUDGET_RULES, QUOTA_RULES, type QuotaRule } from "../quotas/quota-fields.ts";

/** Returns the subject of alerts about a budget: `USD a day of key 2b7c`. */
export function budgetSubject(rule: QuotaRule, owner: string): string {
  return `${QUOTA_RULES[rule].label} of ${owner}`;
}

/** Returns the owner of a budget that is an end user's. */
export function endUserOwner(endUserId: string): string {
  return `end user ${endUserId}`;
}

/** Returns the subjects of alerts that name an end user. */
export function endUserSubjects(endUserId: string): string[] {
  return BUDGET_RULES.map((rule) => budgetSubject(rule, endUserOwner(endUserId)));
}
