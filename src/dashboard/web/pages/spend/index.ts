import { IconCoins } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The page of spending. */
export const spendPage: PageEntry = {
  path: "spend",
  title: "Spend",
  group: "Observe",
  scope: "project",
  needs: "figures.read",
  Icon: IconCoins,
  Page: lazyPart(async () => (await import("./spend-page.tsx")).SpendPage),
};
