import type { Inputs, Outputs } from "../../../web/api/trpc.ts";

/** A key, as the page shows it. */
export type ApiKey = Outputs["keys"]["list"]["keys"][number];

/** The keys that are looked at. */
export type KeyQuery = Omit<Inputs["keys"]["list"], "projectId">;

/** The usage of a key. */
export type KeyUsage = Outputs["keys"]["usage"]["keys"][number];
