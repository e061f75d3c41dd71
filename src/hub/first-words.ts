/** Most UTF-16 units of the first words of a prompt or an answer; one less where that would cut a character in two. */
export const MOST_FIRST_WORDS = 200;
