import { IconUsers } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Members of the project, and projects. */
export const membersPage: PageEntry = {
  path: "members",
  title: "Members & projects",
  group: "Manage",
  scope: "project",
  needs: "members.read",
  Icon: IconUsers,
  Page: lazyPart(async () => (await import("./members-page.tsx")).MembersPage),
};
