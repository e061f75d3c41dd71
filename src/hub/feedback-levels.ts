/** Most levels of nested feedback: the names of one entry, joined with dots. */
export const MAX_FEEDBACK_LEVELS = 32;
