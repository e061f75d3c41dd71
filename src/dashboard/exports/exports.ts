import { auditLines } from "../audit/audit-lines.ts";
import { endUserLines } from "../end-users/end-user-lines.ts";
import { exportLine } from "../history/export-line.ts";
import { exportTable } from "../history/export-table.ts";
import type { Procedures } from "../router.ts";
import type { Export } from "./export.ts";

/** Requests of a project, the newest first. */
export const historyExport: Export<Procedures["history"]["exportPlan"]> = {
  planner: (procedures) => procedures.history.exportPlan,
  file: ({ format }) => ({ name: "requests", format }),
  async *lines(query, { store: { requestExports }, contents }, signal) {
    if (query.format === "csv") return yield* exportTable(requestExports.facts(query, signal), "csv");
    for await (const inference of requestExports.whole(query, signal)) yield* exportLine(inference, contents);
  },
};

/** All that is known of an end user. */
export const endUserExport: Export<Procedures["endUsers"]["exportPlan"]> = {
  planner: (procedures) => procedures.endUsers.exportPlan,
  file: () => ({ name: "end-user", format: "jsonl" }),
  lines: (user, { store, contents }, signal) => endUserLines(store.endUsers.export(user, signal), contents),
};

/** The entries of a project's audit log, the oldest first. */
export const auditExport: Export<Procedures["auditLog"]["exportPlan"]> = {
  planner: (procedures) => procedures.auditLog.exportPlan,
  file: ({ format }) => ({ name: "audit-log", format }),
  lines: ({ filter, format }, { store }) => auditLines(store.auditLog.export(filter), format),
};
