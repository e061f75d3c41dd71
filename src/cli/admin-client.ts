import type { Project } from "../../gen/attune/admin/v1/project_pb.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/types/store.ts";
import type { AdminClient, Named } from "./open-admin-client.ts";

export type { AdminClient } from "./open-admin-client.ts";

/** The options of commands that work on the database of the configuration, or with a service that runs. */
export interface ServiceOptions {
  /** Address of the service; the database of the configuration if absent. */
  readonly url: string | undefined;
}

/** The database of the configuration, where a command works on that itself. */
export interface Local {
  readonly store: Store;
  readonly config: Config;
}

const PAGE_SIZE = 1000;

/** Works with the administrative service; ends the command where that refuses. */
export async function withAdmin(
  { url }: ServiceOptions,
  named: Named,
  work: (admin: AdminClient, local?: Local) => Promise<void>,
): Promise<void> {
  const { connect, explain, openLocal, withStore } = await import("./open-admin-client.ts");
  const attempt = (admin: AdminClient, local?: Local) =>
    work(admin, local).catch((thrown: unknown) => explain(thrown, named, url));
  if (url !== undefined) await attempt(connect(url));
  else await withStore(async (store, config) => await attempt(openLocal(store, config), { store, config }));
}

/** The part of a request that asks for a page. */
interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

/** A page of a list. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken: string;
}

/** Reads all pages of a list. */
export async function readPages<Item>(readPage: (page: PageRequest) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let pageToken: string | undefined; pageToken !== ""; ) {
    const page = await readPage({ pageSize: PAGE_SIZE, pageToken: pageToken ?? "" });
    all.push(...page.items);
    pageToken = page.nextPageToken;
  }
  return all;
}

/** Lists the projects that the caller sees, the oldest first. */
export async function readProjects(admin: AdminClient): Promise<readonly Project[]> {
  return await readPages(async (page) => {
    const { projects: items, nextPageToken } = await admin.listProjects(page);
    return { items, nextPageToken };
  });
}
