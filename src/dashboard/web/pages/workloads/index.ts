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
  Page: lazyPart(async () => (await import("./list/list-page.tsx")).ListPage),
  below: {
    ":model": lazyPart(async () => (await import("./one/workload-page.tsx")).WorkloadPage),
    ":model/pairs": lazyPart(async () => (await import("./pairs/pairs-page.tsx")).PairsPage),
  },
};
