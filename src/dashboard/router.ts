import { OPEN_PROCEDURES } from "../vocabulary/permissions.ts";
import { router } from "./access/procedures.ts";
import { alertsRouter } from "./procedures/alerts.ts";
import { auditLogRouter } from "./procedures/audit-log.ts";
import { datasetRunsRouter } from "./procedures/dataset-runs.ts";
import { datasetsRouter } from "./procedures/datasets.ts";
import { endUsersRouter } from "./procedures/end-users.ts";
import { errorsRouter } from "./procedures/errors.ts";
import { feedbackRouter } from "./procedures/feedback.ts";
import { historyRouter } from "./procedures/history.ts";
import { improvementsRouter } from "./procedures/improvements.ts";
import { invitationsRouter } from "./procedures/invitations.ts";
import { keysRouter } from "./procedures/keys.ts";
import { learningRouter } from "./procedures/learning.ts";
import { managedRouter } from "./procedures/managed.ts";
import { membersRouter } from "./procedures/members.ts";
import { modelsRouter } from "./procedures/models.ts";
import { overviewRouter } from "./procedures/overview.ts";
import { playgroundRouter } from "./procedures/playground.ts";
import { projectSettingsRouter } from "./procedures/project-settings.ts";
import { projectsRouter } from "./procedures/projects.ts";
import { quotasRouter } from "./procedures/quotas.ts";
import { rebuildsRouter } from "./procedures/rebuilds.ts";
import { refusalsRouter } from "./procedures/refusals.ts";
import { resetsRouter } from "./procedures/resets.ts";
import { sessionRouter } from "./procedures/session.ts";
import { sessionsRouter } from "./procedures/sessions.ts";
import { setupRouter } from "./procedures/setup.ts";
import { spendRouter } from "./procedures/spend.ts";
import { viewsRouter } from "./procedures/views.ts";
import { workloadsRouter } from "./procedures/workloads.ts";

/** The dashboard's API: the table of contents. */
export const dashboardRouter = router({
  alerts: alertsRouter,
  auditLog: auditLogRouter,
  datasetRuns: datasetRunsRouter,
  datasets: datasetsRouter,
  endUsers: endUsersRouter,
  errors: errorsRouter,
  feedback: feedbackRouter,
  history: historyRouter,
  invitations: invitationsRouter,
  keys: keysRouter,
  learning: learningRouter,
  managed: managedRouter,
  members: membersRouter,
  models: modelsRouter,
  overview: overviewRouter,
  playground: playgroundRouter,
  projects: projectsRouter,
  projectSettings: projectSettingsRouter,
  quotas: quotasRouter,
  improvements: improvementsRouter,
  rebuilds: rebuildsRouter,
  refusals: refusalsRouter,
  resets: resetsRouter,
  session: sessionRouter,
  sessions: sessionsRouter,
  setup: setupRouter,
  spend: spendRouter,
  views: viewsRouter,
  workloads: workloadsRouter,
});

/** Its type, which is all that the pages know of it. */
export type DashboardRouter = typeof dashboardRouter;

/** The procedures as functions, for routes that ask one of them whether they may answer. */
export type Procedures = ReturnType<DashboardRouter["createCaller"]>;

/** Paths of the procedures that answer without a session. */
export const PUBLIC_PROCEDURES: ReadonlySet<string> = new Set(OPEN_PROCEDURES.public);
