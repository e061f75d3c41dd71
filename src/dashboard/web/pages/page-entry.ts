import type { Icon } from "@tabler/icons-react";
import type { ComponentType, LazyExoticComponent } from "react";

/** Groups of the navigation, in its order. */
export const GROUPS = ["Observe", "Improve", "Manage"] as const;

/** A page, as the navigation and the router know it. */
export interface PageEntry {
  /** Address below the project, or below /dashboard for a page of the account. What follows it is the page's own. */
  readonly path: string;
  readonly title: string;
  /** The navigation group that lists it; pages of the account have a place of their own. */
  readonly group: (typeof GROUPS)[number] | undefined;
  readonly scope: "project" | "account";
  readonly Icon: Icon;
  readonly Page: LazyExoticComponent<ComponentType>;
}
