import type { LeaseRequest } from "../../quotas/leases.ts";
import { QUOTA_RULES } from "../../quotas/quota-fields.ts";
import type { Store } from "../types/store.ts";

const DAY_MS = 86_400_000;

type Tables = ReturnType<Store["query"]>;

/** The kinds of facts that daily figures are kept by, by those of subjects. */
const FACTS: Readonly<Record<string, string>> = { "end-user": "end_user", tag: "tag" };

/** Returns what was spent in a window before its budget was set, in nano-USD, as far as daily figures are kept. */
export async function readSpent(
  tables: Tables,
  { subject, rule, startsAtMs }: Pick<LeaseRequest, "subject" | "rule" | "startsAtMs">,
): Promise<number> {
  if (QUOTA_RULES[rule].amount !== "costNanos") return 0;
  const day = Math.floor(startsAtMs / DAY_MS);
  const at = subject.indexOf(":");
  const [kind, id] = at === -1 ? [subject, ""] : [subject.slice(0, at), subject.slice(at + 1)];
  const fact = FACTS[kind];
  const sum =
    fact === undefined
      ? getSum(tables, kind, id).where("period", ">=", day)
      : sumOfFact(tables, fact, id).where("period", ">=", day);
  const row = await sum.executeTakeFirst();
  return Number(row?.spent ?? 0);
}

function getSum(tables: Tables, kind: string, id: string) {
  const sum = tables.selectFrom("UsageDay").select(({ fn }) => fn.sum<number | string | null>("costNanos").as("spent"));
  if (kind === "project") return sum.where("projectId", "=", id);
  return kind === "key" ? sum.where("keyId", "=", id) : sum;
}

/** `id` is that of the project, a slash, and the name. */
function sumOfFact(tables: Tables, kind: string, id: string) {
  const slash = id.indexOf("/");
  return tables
    .selectFrom("UsageFactDay")
    .select(({ fn }) => fn.sum<number | string | null>("costNanos").as("spent"))
    .where("projectId", "=", id.slice(0, slash))
    .where("kind", "=", kind)
    .where("name", "=", id.slice(slash + 1));
}
