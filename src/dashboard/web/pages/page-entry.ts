import type { Icon } from "@tabler/icons-react";
import type { ComponentType, LazyExoticComponent } from "react";
import type { Permission } from "../../../hub/permissions.ts";

/** Groups of the navigation, in its order. */
export const GROUPS = ["Observe", "Improve", "Manage"] as const;

/** A page, as the navigation and the router know it. */
export type PageEntry = PageFacts & (ProjectScope | { readonly scope: "account" });

interface ProjectScope {
  readonly scope: "project";
  /** The permission without which there is nothing to see on it. */
  readonly needs: Permission;
}

interface PageFacts {
  /** Address below the project, or below /dashboard for a page of the account. What follows it is the page's own. */
  readonly path: string;
  readonly title: string;
  /** The navigation group that lists it; pages of the account have a place of their own. */
  readonly group: (typeof GROUPS)[number] | undefined;
  readonly Icon: Icon;
  readonly Page: LazyExoticComponent<ComponentType>;
}
