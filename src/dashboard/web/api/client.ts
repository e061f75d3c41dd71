import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { DashboardRouter } from "../../router.ts";

/** The dashboard's API. Queries of the same moment travel in one request. */
export const api = createTRPCClient<DashboardRouter>({
  links: [httpBatchLink({ url: "/dashboard/api", maxURLLength: 2000, maxItems: 10 })],
});
