import { IconKey } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** API keys. */
export const keysPage: PageEntry = {
  path: "keys",
  title: "API keys",
  group: "Manage",
  scope: "project",
  Icon: IconKey,
  Page: lazyPage(async () => (await import("./keys-page.tsx")).KeysPage),
};
