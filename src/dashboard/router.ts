import { router } from "./access/procedures.ts";
import { invitationsRouter } from "./procedures/invitations.ts";
import { keysRouter } from "./procedures/keys.ts";
import { membersRouter } from "./procedures/members.ts";
import { modelsRouter } from "./procedures/models.ts";
import { overviewRouter } from "./procedures/overview.ts";
import { projectsRouter } from "./procedures/projects.ts";
import { sessionRouter } from "./procedures/session.ts";
import { setupRouter } from "./procedures/setup.ts";

/** The dashboard's API: the table of contents. */
export const dashboardRouter = router({
  invitations: invitationsRouter,
  keys: keysRouter,
  members: membersRouter,
  models: modelsRouter,
  overview: overviewRouter,
  projects: projectsRouter,
  session: sessionRouter,
  setup: setupRouter,
});

/** Its type, which is all that the pages know of it. */
export type DashboardRouter = typeof dashboardRouter;
