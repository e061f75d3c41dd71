import type { Icon } from "@tabler/icons-react";
import type { ComponentType, LazyExoticComponent } from "react";
import type { Permission } from "../../vocabulary/permissions.ts";

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
  /** Address below the project, or below /dashboard for a page of the account. */
  readonly path: string;
  readonly title: string;
  /** The navigation group that lists it; pages of the account have a place of their own. */
  readonly group: (typeof GROUPS)[number] | undefined;
  readonly Icon: Icon;
  readonly Page: LazyExoticComponent<ComponentType>;
  /** Further pages below its address, by the rest of theirs: `:id`. */
  readonly below?: Readonly<Record<string, LazyExoticComponent<ComponentType>>>;
}

/** Lists what a page shows at which address below /dashboard, itself first. */
export function listAddresses({ path, scope, Page, below = {} }: PageEntry): [string, PageEntry["Page"]][] {
  const address = scope === "account" ? `/${path}` : `/projects/:projectId/${path}`;
  const further = Object.entries(below).map(([rest, Shown]): [string, PageEntry["Page"]] => [
    `${address}/${rest}`,
    Shown,
  ]);
  return [[address, Page], ...further];
}
