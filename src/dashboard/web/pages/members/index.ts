import { IconUsers } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** Members of the project, and projects. */
export const membersPage: PageEntry = {
  path: "members",
  title: "Members & projects",
  group: "Manage",
  scope: "project",
  Icon: IconUsers,
  Page: lazyPage(async () => (await import("./members-page.tsx")).MembersPage),
};
