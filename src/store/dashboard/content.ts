/** What the dashboard needs to decode bodies by itself, without the database: in a thread of its own. */
export { decodeMessages, type EncodedContent, expandBody } from "../types/inference-body.ts";
