import { blockNames, memberNames, requestNames } from "../../hub/field-names.ts";
import { createFieldPathFormatter, type FormatFieldPath } from "../shared/format-field-path.ts";
import { isSearchResult } from "./search-result.ts";

/** Spells a place in the hub's request as a client of the Messages format wrote it. */
export const formatFieldPath: FormatFieldPath = createFieldPathFormatter({
  fields: requestNames("messages"),
  messages: "messages",
  system: (index) => `system[${index}]`,
  block: (path, { index }) => `${path}.content[${index}]`,
  inner(path, { index }, { kind, block }) {
    const isSource = kind === "document" && !isSearchResult(block?.extension);
    return `${path}.${isSource ? "source.content" : "content"}[${index}]`;
  },
  cacheMark: "cache_control",
  members: ({ kind }) => MEMBERS[kind ?? ""],
  toolMembers: { function: memberNames("messages", "function") },
});

const MEMBERS = blockNames("messages");
