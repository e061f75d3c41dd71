import type { Inputs, Outputs } from "../../../web/api/trpc.ts";

/** A page of the list. */
export type RequestPageData = Outputs["history"]["list"] & {
  /** In another order than that of time: how many of the newest requests are in it. */
  readonly ordered?: number;
};

/** A request, as the list shows it. */
export type RequestSummary = RequestPageData["rows"][number];

/** The filter of requests, as the API takes it. */
export type RequestFilter = NonNullable<Inputs["history"]["list"]["filter"]>;

/** A request with all that is known of it. */
export type RequestDetails = Outputs["history"]["request"];

/** A call of an upstream for a request. */
export type AttemptData = RequestDetails["attempts"][number];

/** The conversation of a request. */
export type ContentData = NonNullable<RequestDetails["content"]>;

/** A block of content. */
export type BlockData = ContentData["answer"][number];

/** The beginning of a text. */
export type TextData = Extract<BlockData, { kind: "text" | "refusal" }>["text"];

/** The location of a file. */
export type FileData = Extract<BlockData, { kind: "image" }>["file"];
