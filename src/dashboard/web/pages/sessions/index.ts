import { IconRoute } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Runs of agents: each is reached from its calls, and from what it cost. */
export const sessionsPage: PageEntry = {
  path: "sessions",
  title: "Session",
  group: undefined,
  scope: "project",
  needs: "requests.read",
  Icon: IconRoute,
  Page: lazyPart(async () => (await import("../../shell/not-found.tsx")).NotFound),
  below: { ":sessionId": lazyPart(async () => (await import("./session-page.tsx")).SessionPage) },
};
