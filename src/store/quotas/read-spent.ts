import type { LeaseRequest } from "../../quotas/leases.ts";
import { QUOTA_RULES } from "../../quotas/quota.ts";
import type { Store } from "../types/store.ts";

const DAY_MS = 86_400_000;

type Tables = ReturnType<Store["query"]>;

/**
 * Returns what was spent in a window before its budget was set, in nano-USD: of the installation, a project or a key,
 * for which sums are kept. All others begin at 0.
 */
export async function readSpent(
  tables: Tables,
  { subject, rule, startsAtMs }: Pick<LeaseRequest, "subject" | "rule" | "startsAtMs">,
): Promise<number> {
  if (QUOTA_RULES[rule].amount !== "costNanos") return 0;
  const days = daysOf(tables, subject)?.where("period", ">=", Math.floor(startsAtMs / DAY_MS));
  const sum = days?.select(({ fn }) => fn.sum<number | string | null>("costNanos").as("spent"));
  return Number((await sum?.executeTakeFirst())?.spent ?? 0);
}

function daysOf(tables: Tables, subject: string) {
  const days = tables.selectFrom("UsageDay");
  const [kind, id = ""] = subject.split(":", 2);
  if (kind === "installation") return days;
  if (kind === "project") return days.where("projectId", "=", id);
  return kind === "key" ? days.where("keyId", "=", id) : undefined;
}
