import { IconGauge } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The page of limits. */
export const limitsPage: PageEntry = {
  path: "limits",
  title: "Limits",
  group: "Manage",
  scope: "project",
  needs: "limits.read",
  Icon: IconGauge,
  Page: lazyPart(async () => (await import("./limits-page.tsx")).LimitsPage),
};
