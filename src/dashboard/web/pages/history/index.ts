import { IconHistory } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** Requests that were served. */
export const historyPage: PageEntry = {
  path: "history",
  title: "History",
  group: "Observe",
  scope: "project",
  Icon: IconHistory,
  Page: lazyPage(async () => (await import("./history-page.tsx")).HistoryPage),
};
