import { IconLayoutDashboard } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The overview, the page on which people land. */
export const overviewPage: PageEntry = {
  path: "overview",
  title: "Overview",
  group: "Observe",
  scope: "project",
  needs: "figures.read",
  Icon: IconLayoutDashboard,
  Page: lazyPart(async () => (await import("./overview-page.tsx")).OverviewPage),
};
