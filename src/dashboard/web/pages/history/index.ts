import { IconHistory } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Requests that were served. */
export const historyPage: PageEntry = {
  path: "history",
  title: "History",
  group: "Observe",
  scope: "project",
  needs: "requests.read",
  Icon: IconHistory,
  Page: lazyPart(async () => (await import("./list/list-page.tsx")).ListPage),
  below: {
    ":requestId": lazyPart(async () => (await import("./request/request-page.tsx")).RequestPage),
  },
};
