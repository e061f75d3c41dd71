import { IconDatabase } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Requests that are kept under a name. */
export const datasetsPage: PageEntry = {
  path: "datasets",
  title: "Datasets",
  group: "Improve",
  scope: "project",
  needs: "requests.read",
  Icon: IconDatabase,
  Page: lazyPart(async () => (await import("./list-page.tsx")).ListPage),
  below: {
    ":datasetId": lazyPart(async () => (await import("./dataset-page.tsx")).DatasetPage),
    ":datasetId/runs/:runId": lazyPart(async () => (await import("./run-page.tsx")).RunPage),
  },
};
