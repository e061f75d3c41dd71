import { IconUserShield } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The page of the data of end users. */
export const endUsersPage: PageEntry = {
  path: "end-users",
  title: "End users",
  group: "Manage",
  scope: "project",
  needs: "end-users.change",
  Icon: IconUserShield,
  Page: lazyPart(async () => (await import("./end-users-page.tsx")).EndUsersPage),
};
