import { BUDGET_EFFORTS, type BudgetEffort, DEFAULT_BUDGET_EFFORTS } from "../catalog/budget-efforts.ts";
import type { CatalogModel } from "../catalog/model.ts";

/** Returns the effort that a budget of thinking tokens asks a model for; undefined if the model has none for it. */
export function effortOfBudget(
  tokens: number,
  { budgetEfforts = DEFAULT_BUDGET_EFFORTS }: Pick<CatalogModel, "budgetEfforts">,
): BudgetEffort | undefined {
  let found: BudgetEffort | undefined;
  let highest = -1;
  for (const effort of BUDGET_EFFORTS) {
    const above = budgetEfforts[effort];
    if (above === undefined || tokens <= above || above <= highest) continue;
    found = effort;
    highest = above;
  }
  return found;
}
