import { IconClipboardList } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The page of changes. */
export const auditLogPage: PageEntry = {
  path: "audit-log",
  title: "Audit log",
  group: "Manage",
  scope: "project",
  needs: "audit.read",
  Icon: IconClipboardList,
  Page: lazyPart(async () => (await import("./audit-log-page.tsx")).AuditLogPage),
};
