import { exportInferences, exportRows } from "../../store/dashboard/export-inferences.ts";
import { auditLines } from "../audit/audit-lines.ts";
import { endUserLines } from "../end-users/end-user-lines.ts";
import { exportCsv } from "../history/export-csv.ts";
import { exportLine } from "../history/export-line.ts";
import type { Procedures } from "../router.ts";
import type { Export } from "./export.ts";

/** Requests of a project, the newest first. */
export const historyExport: Export<Procedures["history"]["exportPlan"]> = {
  planner: (procedures) => procedures.history.exportPlan,
  file: ({ format }) => ({ name: "requests", format }),
  async *lines({ query, format }, { store: { reads }, contents }, signal) {
    if (format === "csv") return yield* exportCsv(exportRows(reads, query, signal));
    for await (const inference of exportInferences(reads, query, signal)) yield* exportLine(inference, contents);
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
