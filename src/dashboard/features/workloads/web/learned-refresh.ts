/** The interval at which learned figures are read again; they change with each feedback. */
export const LEARNED_REFRESH_MS = 5000;
