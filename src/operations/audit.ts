import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AuditEntrySchema } from "../../gen/attune/admin/v1/audit_pb.ts";
import { type AuditRecord, readAuditEntries } from "../store/audit/read-entries.ts";
import { projectOfList } from "./find-own.ts";
import type { Handlers } from "./handlers.ts";
import { readPageSize, toPage } from "./page.ts";

/** The operations on the audit log. */
export const auditHandlers: Handlers<"listAuditEntries"> = {
  async listAuditEntries(work, { project, pageSize, pageToken, from, to, actor, action, oldestFirst }) {
    const size = readPageSize(pageSize);
    const last = pageToken === "" ? undefined : Number(pageToken);
    const found = await readAuditEntries(work.store, {
      projectId: await projectOfList(work, project),
      from: getTime(from),
      to: getTime(to),
      actor: actor || undefined,
      action: action || undefined,
      ...(oldestFirst ? { after: last ?? 0 } : { before: last }),
      limit: size + 1,
    });
    const { items, nextPageToken } = toPage(
      found.map((entry) => ({ ...entry, id: String(entry.sequence) })),
      size,
    );
    return { entries: items.map(entryToMessage), nextPageToken };
  },
};

function entryToMessage(entry: AuditRecord): MessageInitShape<typeof AuditEntrySchema> {
  const { sequence, at, actor, via, address, requestId, projectId, action, target, before, after, hash } = entry;
  return {
    sequence: BigInt(sequence),
    at: timestampFromDate(at),
    actor,
    via,
    action,
    target,
    hash,
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
    ...(projectId !== null && { projectId }),
    ...(before !== null && { before: JSON.stringify(before) }),
    ...(after !== null && { after: JSON.stringify(after) }),
  };
}

function getTime(time: Timestamp | undefined): Date | undefined {
  return time && timestampDate(time);
}
