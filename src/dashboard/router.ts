import { listNamedProcedures, OPEN_PROCEDURES, type Permission } from "../vocabulary/permissions.ts";
import { findPermission, type ProcedureMeta, router } from "./access/procedures.ts";
import { alertsRouter } from "./features/alerts/alerts-router.ts";
import { auditLogRouter } from "./features/audit-log/audit-log-router.ts";
import { datasetRunsRouter } from "./features/datasets/dataset-runs-router.ts";
import { datasetsRouter } from "./features/datasets/datasets-router.ts";
import { endUsersRouter } from "./features/end-users/end-users-router.ts";
import { errorsRouter } from "./features/errors/errors-router.ts";
import { refusalsRouter } from "./features/errors/refusals-router.ts";
import { feedbackRouter } from "./features/feedback/feedback-router.ts";
import { historyRouter } from "./features/history/history-router.ts";
import { viewsRouter } from "./features/history/views-router.ts";
import { keysRouter } from "./features/keys/keys-router.ts";
import { quotasRouter } from "./features/limits/quotas-router.ts";
import { invitationsRouter } from "./features/members/invitations-router.ts";
import { membersRouter } from "./features/members/members-router.ts";
import { projectsRouter } from "./features/members/projects-router.ts";
import { modelsRouter } from "./features/models/models-router.ts";
import { overviewRouter } from "./features/overview/overview-router.ts";
import { playgroundRouter } from "./features/playground/playground-router.ts";
import { sessionsRouter } from "./features/sessions/sessions-router.ts";
import { managedRouter } from "./features/settings/managed-router.ts";
import { projectSettingsRouter } from "./features/settings/project-settings-router.ts";
import { resetsRouter } from "./features/sign-in/resets-router.ts";
import { sessionRouter } from "./features/sign-in/session-router.ts";
import { setupRouter } from "./features/sign-in/setup-router.ts";
import { spendRouter } from "./features/spend/spend-router.ts";
import { improvementsRouter } from "./features/workloads/improvements-router.ts";
import { learningRouter } from "./features/workloads/learning-router.ts";
import { rebuildsRouter } from "./features/workloads/rebuilds-router.ts";
import { workloadsRouter } from "./features/workloads/workloads-router.ts";

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

interface DescribedProcedure {
  readonly _def: { readonly meta?: ProcedureMeta };
}

/** Returns the procedures that need a permission: those that it names, and those that do an operation which takes it. */
export function listProcedures(permission: Permission): readonly string[] {
  const procedures = dashboardRouter._def.procedures as unknown as Readonly<Record<string, DescribedProcedure>>;
  const operating = Object.entries(procedures).filter(([, { _def }]) => {
    const method = _def.meta?.operation;
    return method !== undefined && findPermission(method) === permission;
  });
  return [...listNamedProcedures(permission), ...operating.map(([path]) => path)];
}
