import { auditLines } from "../audit/audit-lines.ts";
import type { Procedures } from "../router.ts";
import type { Export } from "./export.ts";

/** The entries of a project's audit log, the oldest first. */
export const auditExport: Export<Procedures["auditLog"]["exportPlan"]> = {
  planner: (procedures) => procedures.auditLog.exportPlan,
  file: ({ format }) => ({ name: "audit-log", format }),
  lines: ({ filter, format }, { store }) => auditLines(store.auditLog.export(filter), format),
};
