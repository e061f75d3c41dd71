import { flagMember, nameMember } from "./member.ts";

/** A model, in every request. */
export const MODEL = nameMember("Id of a model, with the prefix or without, or an alias: `attune/claude-haiku-5-5`");

/** The answer as a stream, in every format. */
export const STREAM = flagMember("True for server-sent events as the answer is made");

/** Describes a member that nothing else is known of. */
export const CARRIED = "Carried to an upstream of the same format";
