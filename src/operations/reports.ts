import { timestampDate } from "@bufbuild/protobuf/wkt";
import { RequestExportForm } from "../../gen/attune/admin/v1/admin_pb.ts";
import { readUsageRequest, usageToMessage } from "../figures/usage-message.ts";
import { InferenceError } from "../hub/error.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers } from "./handlers.ts";
import { readPlace } from "./page.ts";

const FORMATS: Readonly<Record<RequestExportForm, string>> = {
  [RequestExportForm.UNSPECIFIED]: "csv",
  [RequestExportForm.CSV]: "csv",
  [RequestExportForm.JSON_LINES]: "jsonl",
  [RequestExportForm.RECORDS]: "records",
};

/** The operations that tell of calls. */
export const reportHandlers: Handlers<"getUsage" | "exportRequests"> = {
  async getUsage(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    const query = readUsageRequest(request);
    return usageToMessage(await work.readUsage({ projectId, ...query }), query.groupBy, work.prefix);
  },

  async exportRequests(work, { project, from, to, form, pageToken }) {
    const { id: projectId } = await findOwnProject(work, project);
    const [begin, end] = [from && timestampDate(from), to && timestampDate(to)];
    if (begin !== undefined && end !== undefined && begin >= end) {
      throw InferenceError.invalid("from", "must be before to");
    }
    const cursor = readPlace(pageToken);
    const { items, next, requests } = await work.readRequestPage(work.store, {
      projectId,
      format: FORMATS[form] ?? "csv",
      from: begin,
      to: end,
      cursor: cursor === "" ? undefined : cursor,
    });
    return { items: [...items], nextPageToken: next, requests };
  },
};
