import type { Outputs } from "../../../web/api/trpc.ts";

/** Failed and refused calls of a time. */
export type Errors = Outputs["errors"]["summary"];

/** Failed and refused calls of a time by what they have in common. */
export type ErrorGroups = Outputs["errors"]["groups"];
