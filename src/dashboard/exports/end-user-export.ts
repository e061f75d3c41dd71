import { endUserLines } from "../end-users/end-user-lines.ts";
import type { Procedures } from "../router.ts";
import type { Export } from "./export.ts";

/** All that is known of an end user. */
export const endUserExport: Export<Procedures["endUsers"]["exportPlan"]> = {
  planner: (procedures) => procedures.endUsers.exportPlan,
  file: () => ({ name: "end-user", format: "jsonl" }),
  lines: (user, { store, contents }, signal) => endUserLines(store.endUsers.export(user, signal), contents),
};
