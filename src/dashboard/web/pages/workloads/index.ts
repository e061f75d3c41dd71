import { IconTags } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The workload names that calls are labelled with. */
export const workloadsPage: PageEntry = {
  path: "workloads",
  title: "Workloads",
  group: "Improve",
  scope: "project",
  needs: "workloads.read",
  Icon: IconTags,
  Page: lazyPart(async () => (await import("./workloads-page.tsx")).WorkloadsPage),
};
