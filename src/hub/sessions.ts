/** Source of a session that is the conversation which a request continues. */
export const CONVERSATION_SOURCE = "conversation";

/** Source of a session that is known by an agent's cache key alone: a conversation goes before it. */
export const CACHE_KEY_SOURCE = "prompt_cache_key";

/**
 * A session ends so many milliseconds after its last call began, and after so many calls: the same id is another one
 * then.
 */
export const SESSION_MS = 2 * 60 * 60 * 1000;
export const SESSION_CALLS = 1000;
