import { withoutCode } from "./prose.ts";

/** Words and phrases of translated English, each with what a native writer has instead. */
const PATTERNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bin (?:its|their) place\b/i, "instead"],
  [/\bin place of\b/i, "instead of"],
  [/\bfor ever\b/i, "forever, indefinitely"],
  [/\bdear(?:er|est)?\b/i, "expensive"],
  [/\bso that\b/i, "so"],
  [/\bbeside\b/i, "alongside, next to"],
  [/\bat once\b/i, "immediately, at a time"],
  [/\ball the same\b/i, "anyway"],
  [/\bthe like\b/i, "similar"],
  [/\ba further\b/i, "another"],
  [/\bsome \d/i, "about"],
  [/\bwhoever\b/i, "anyone who, the caller"],
  // "There is no such key" is English; "it is no key" isn't.
  [
    /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|matter\b|such\b|worse\b|better\b|less\b|slower\b)[a-z]+/i,
    "isn't a",
  ],
  [/\b(?:is|are|was|were) (?:told|said)\b/i, "who says it: the response lists, the log names"],
  [/\b(?:key|account|link|project|token)s? (?:is|are|was|were) made\b/i, "created"],
  [/\b(?:broken off|kept back|put down)\b/i, "canceled, held back, recorded"],
  [/\bgo(?:es)? before\b/i, "take precedence over, come before"],
  [/\btells? (?:of|the (?:end|tokens|time|number))\b/i, "report, show"],
  [/\b(?:say|says|know|knows) of\b/i, "say about, know about"],
  [/\blikeliest\b/i, "most likely"],
  [/(?<=^|[.:;(] |\. )Most \w+ (?:of|that)\b/, "Maximum"],
  [/\bthe most (?:\w+ )?that\b/i, "the maximum, up to"],
  [/\bas many as (?:it|they|there) (?:may|can)\b/i, "the maximum"],
  [/\bgoes? on with\b/i, "continue"],
  [/\bas (?:it is|they are|it was|they were)(?= (?:to|by|from)\b|[.;)]|$)/, "unchanged"],
  [/\bas the \w+ had (?:it|them)\b/i, "as in the ..."],
  [/\b(?:is|are) to (?!(?:be|become|blame|say)\b)(?:have|get|keep|do|make)\b/i, "should, must"],
  [/\bkeeps? to (?:the|its|a)\b/i, "match, follow"],
  [/\b(?:of|from|by) which\b/i, "whose, with, and"],
  [/\b(?:suffices?|oddit(?:y|ies))\b/i, "is enough, warning"],
  [/\b(?:gives|gave|sent) no\b/i, "doesn't return, didn't send"],
  [/\bbroke off\b/i, "stopped, was interrupted"],
  [/\bstands? (?:here|there|in (?:its|their))\b/i, "is here, is in"],
  [/(?<=[.:] )Where (?!is\b|are\b|do\b|does\b|to\b)[a-z]/, "If, When"],
  [/\b\w*(?:colour|behaviour|favour|licence|catalogue)\w*/i, "American spelling"],
  [
    /\b(?:optim|summar|organ|normal|recogn|custom|author|serial|initial|minim|maxim|synchron)is(?:e[ds]?|ing|ation)\b/i,
    "-ize",
  ],
];

/** Finds phrases that the house writes otherwise, each as `phrase: what to write instead`. */
export function findPatterns(markdown: string): string[] {
  const text = withoutCode(markdown)
    .replace(/`[^`]*`/g, "code")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/<[^>]*>/g, "")
    // A heading is the name of something, and quotations are those of others.
    .replace(/^#.*$|“[^”]*”/gm, "")
    .replace(/\s+/g, " ");
  return PATTERNS.flatMap(([pattern, instead]) => {
    const found = text.match(pattern);
    return found === null ? [] : [`"${text.slice(found.index, (found.index ?? 0) + 40)}": write ${instead}`];
  });
}
