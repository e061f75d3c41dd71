import { accountPage } from "./account/index.ts";
import { alertsPage } from "./alerts/index.ts";
import { auditLogPage } from "./audit-log/index.ts";
import { datasetsPage } from "./datasets/index.ts";
import { endUsersPage } from "./end-users/index.ts";
import { errorsPage } from "./errors/index.ts";
import { feedbackPage } from "./feedback/index.ts";
import { historyPage } from "./history/index.ts";
import { keysPage } from "./keys/index.ts";
import { limitsPage } from "./limits/index.ts";
import { membersPage } from "./members/index.ts";
import { modelsPage } from "./models/index.ts";
import { overviewPage } from "./overview/index.ts";
import type { PageEntry } from "./page-entry.ts";
import { playgroundPage } from "./playground/index.ts";
import { sessionsPage } from "./sessions/index.ts";
import { spendPage } from "./spend/index.ts";
import { workloadsPage } from "./workloads/index.ts";

/** Every page, in the order of the navigation. The first one of a project is where people land. */
export const PAGES: readonly PageEntry[] = [
  overviewPage,
  historyPage,
  errorsPage,
  spendPage,
  alertsPage,
  modelsPage,
  workloadsPage,
  feedbackPage,
  datasetsPage,
  playgroundPage,
  keysPage,
  limitsPage,
  sessionsPage,
  membersPage,
  endUsersPage,
  auditLogPage,
  accountPage,
];
