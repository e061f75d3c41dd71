/**
 * Name of a schema that has none: the OpenAI formats require one. What bears it is taken for a schema without a name,
 * so that one that came from Messages goes back to Messages as it was, without a title.
 */
export const UNNAMED_SCHEMA = "response";
