import { IconUserCircle } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The account of who is signed in. */
export const accountPage: PageEntry = {
  path: "account",
  title: "Account",
  group: undefined,
  scope: "account",
  Icon: IconUserCircle,
  Page: lazyPart(async () => (await import("./account-page.tsx")).AccountPage),
};
