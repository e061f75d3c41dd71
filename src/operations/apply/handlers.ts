import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  lockManagedItems,
  MANAGED_KINDS,
  type ManagedItem,
  readManagedItems,
} from "../../store/managed/managed-items.ts";
import { conflict, createEtag } from "../checks.ts";
import { projectOfList } from "../find-own.ts";
import type { Handlers } from "../handlers.ts";
import { readPageSize, readToken, toPage, writeToken } from "../page.ts";
import { applyDocument } from "./apply-document.ts";
import { ClearedPlaces } from "./cleared.ts";
import { exportProjects } from "./export-projects.ts";
import { ITEM_KINDS, Ledger } from "./ledger.ts";
import { prune } from "./prune.ts";

/** The operations on projects as code. */
export const applyHandlers: Handlers<"applyProjects" | "exportProjects" | "listManagedItems"> = {
  async applyProjects(work, { document, prune: isPruning, etag, dryRun: isDryRun }) {
    await lockManagedItems(work.store);
    const managed = await readManagedItems(work.store);
    const cleared = new ClearedPlaces(document?.cleared ?? []);
    const context = { work, ledger: new Ledger(work.store, managed), cleared, isDryRun };
    const pruned = isPruning ? managed.map(({ projectId }) => projectId).filter((id) => id !== "") : [];
    await applyDocument(context, document, pruned);
    await prune(context, isPruning);
    const { changes, absent, kept } = context.ledger;
    // A hash that is given after the dry run makes no other change.
    const current = createEtag(changes.map(({ needsHash: _, ...change }) => change));
    if (etag !== "" && etag !== current) {
      throw conflict("etag", "is of other changes: something has changed since, so look at the changes again");
    }
    return { changes, absent, etag: current, kept };
  },

  exportProjects: async (work, request) => ({ document: await exportProjects(work, request) }),

  async listManagedItems(work, { project, pageSize, pageToken }) {
    const size = readPageSize(pageSize);
    const projectId = await projectOfList(work, project);
    const after = pageToken === "" ? {} : { after: itemOfToken(pageToken) };
    const found = await readManagedItems(work.store, { projectId, ...after, limit: size + 1 });
    const { items, nextPageToken } = toPage(
      found.map((item) => ({ ...item, id: writeToken([item.projectId, item.kind, item.name]) })),
      size,
    );
    const messages = items.map(({ kind, projectId: id, name, since }) => {
      return { kind: ITEM_KINDS[kind], projectId: id, name, since: timestampFromDate(since) };
    });
    return { items: messages, nextPageToken };
  },
};

function itemOfToken(token: string): ManagedItem {
  const [projectId = "", word, name = ""] = readToken(token, 3);
  const kind = MANAGED_KINDS.find((known) => known === word);
  return { projectId, kind: kind ?? "project", name };
}
