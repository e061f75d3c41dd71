import { accountPage } from "./account/index.ts";
import { keysPage } from "./keys/index.ts";
import { membersPage } from "./members/index.ts";
import { modelsPage } from "./models/index.ts";
import { overviewPage } from "./overview/index.ts";
import type { PageEntry } from "./page-entry.ts";

/** Every page, in the order of the navigation. The first one of a project is where people land. */
export const PAGES: readonly PageEntry[] = [overviewPage, modelsPage, keysPage, membersPage, accountPage];
