import { IconKey } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** API keys. */
export const keysPage: PageEntry = {
  path: "keys",
  title: "API keys",
  group: "Manage",
  scope: "project",
  needs: "keys.read",
  Icon: IconKey,
  Page: lazyPart(async () => (await import("./keys-page.tsx")).KeysPage),
};
