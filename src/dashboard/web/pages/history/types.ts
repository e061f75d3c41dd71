import type { api } from "../../api/client.ts";

/** A page of the list. */
export type RequestPageData = Awaited<ReturnType<typeof api.history.list.query>>;

/** A request, as the list shows it. */
export type RequestSummary = RequestPageData["rows"][number];

/** Which requests are listed, as the API takes it. */
export type RequestFilter = NonNullable<Parameters<typeof api.history.list.query>[0]["filter"]>;

/** A request with all that is known of it. */
export type RequestDetails = Awaited<ReturnType<typeof api.history.request.query>>;

/** A call of an upstream for a request. */
export type AttemptData = RequestDetails["attempts"][number];

/** What was asked and answered. */
export type ContentData = NonNullable<RequestDetails["content"]>;

/** A block of content. */
export type BlockData = ContentData["answer"][number];

/** The beginning of a text. */
export type TextData = Extract<BlockData, { kind: "text" | "refusal" }>["text"];

/** Where a file is. */
export type FileData = Extract<BlockData, { kind: "image" }>["file"];
