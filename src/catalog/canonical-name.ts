/** Words that stand before a slash and name who serves or makes a model. */
const MAKER =
  /^(?:openai|anthropic|google|gemini|x-ai|xai|mistralai|mistral|deepseek|moonshotai|moonshot|z-ai|zai|groq|azure|bedrock|vertex_ai|openrouter|models|meta-llama|qwen|cohere)\//;

/** Prefixes of Amazon Bedrock's model names: a region, and the maker. */
const BEDROCK =
  /^(?:(?:us|eu|apac|global|jp|au|ca|in|us-gov)\.)?(?=(?:anthropic|openai|mistral|deepseek|moonshotai)\.)\w+\./;

/** Versions and dates behind a name. */
const ENDING = /(?:-v\d+(?::\d+)?|[-@]20\d{6}|-20\d{2}-\d{2}-\d{2}|[-@]latest|@default)$/;

/** The older order of the parts of Claude's names: claude-3-5-sonnet. */
const OLDER_CLAUDE = /^claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku|fable)/;

/**
 * Returns what all spellings of a model's name have in common, by the rules on which public lists agree:
 * `us.anthropic.claude-sonnet-5-5-v1:0`, `anthropic/claude-sonnet-5.5` and `claude-sonnet-5-5@20260928` are one.
 */
export function canonicalName(name: string): string {
  let rest = name.toLowerCase();
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(MAKER, "").replace(BEDROCK, "").replace(ENDING, "");
  }
  if (!rest.startsWith("claude")) return rest;
  return rest.replaceAll(".", "-").replace(OLDER_CLAUDE, "claude-$2-$1");
}
