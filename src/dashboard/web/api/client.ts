import { createTRPCClient, httpBatchLink, httpLink, splitLink } from "@trpc/client";
import type { DashboardRouter } from "../../router.ts";
import { DASHBOARD_PATH } from "../dashboard-path.ts";

const url = `${DASHBOARD_PATH}/api`;

/** Has a call travel alone: in a batch its signal ends nothing before those of all others have. */
export const ALONE = { context: { isAlone: true } } as const;

/** The dashboard's API. Queries of the same moment travel in one request. */
export const api = createTRPCClient<DashboardRouter>({
  links: [
    splitLink({
      condition: ({ context }) => context["isAlone"] === true,
      true: httpLink({ url }),
      false: httpBatchLink({ url, maxURLLength: 2000, maxItems: 10 }),
    }),
  ],
});
