import { IconBell } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The page of alerts. */
export const alertsPage: PageEntry = {
  path: "alerts",
  title: "Alerts",
  group: "Observe",
  scope: "project",
  needs: "alerts.read",
  Icon: IconBell,
  Page: lazyPart(async () => (await import("./alerts-page.tsx")).AlertsPage),
};
