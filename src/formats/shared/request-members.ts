import { flagMember, nameMember } from "./member.ts";

/** A model, in every request. */
export const MODEL = nameMember("Id of a model, with the prefix or without, or an alias: `attune/claude-haiku-5-5`");

/** The answer as a stream, in every format. */
export const STREAM = flagMember("True to stream the answer as server-sent events");

/** Describes a member that nothing else is known of. */
export const CARRIED = "Passed on to an upstream of the same format";
