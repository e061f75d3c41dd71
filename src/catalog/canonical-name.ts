/** Words before a slash that name who serves or makes a model, the way in which it is asked, or a region. */
const BEFORE = new RegExp(
  `^(?:${[
    ...["openai", "anthropic", "google", "gemini", "x-ai", "xai", "mistralai", "mistral", "deepseek", "deepseek-ai"],
    ...[
      "moonshotai",
      "moonshot",
      "z-ai",
      "zai",
      "zai-org",
      "zhipuai",
      "meta-llama",
      "meta",
      "qwen",
      "alibaba",
      "cohere",
    ],
    ...["minimax", "minimaxai", "amazon", "nvidia", "microsoft", "azure", "azure_ai", "bedrock", "bedrock_converse"],
    ...["vertex_ai", "google-vertex", "google-ai-studio", "openrouter", "groq", "cerebras", "together", "together_ai"],
    ...["fireworks", "fireworks_ai", "deepinfra", "sambanova", "databricks", "dashscope", "github", "github_copilot"],
    ...[
      "models",
      "responses",
      "chat",
      "converse",
      "invoke",
      "@cf",
      "accounts/fireworks/models",
      "publishers/\\w+/models",
    ],
    ...["arn:aws(?:-[a-z]+)*:bedrock:[a-z\\d-]*:\\d*:(?:foundation-model|inference-profile)"],
    ...["projects/[^/]+/locations/[^/]+", "perplexity", "litellm_proxy", "sap"],
    ...["us", "eu", "global", "[a-z]{2}(?:-[a-z]+)+-\\d"],
  ].join("|")})/`,
);

/** Prefixes of Amazon Bedrock's model names, a region and the maker, and of Databricks' and SAP's own. */
const BEDROCK =
  /^(?:(?:[a-z]{2}|us-gov|apac|global)\.)?(?:anthropic|openai|mistral|deepseek|moonshotai|moonshot|meta|amazon|qwen|cohere|minimax|zai|google|nvidia|writer|ai21)\.(?=[a-z])|^databricks-(?=claude|gpt|gemini)|^(?:anthropic|amazon|mistralai)--(?=[a-z])/;

/** Versions behind a name: Bedrock's, and words for the newest. Those of Claude and Gemini have one of their own. */
const ENDING = /(?:-(?:v?\d+):\d+|[-@]latest|@default)$/;
const OWN_ENDINGS = [
  { of: /^claude/, ending: /-v\d+$/ },
  { of: /^gemini/, ending: /-00\d$/ },
];

/** Days behind a name; OpenAI's older ones and xAI's have no year. */
const DATE = /(?:[-@](20\d{6})|-(20\d{2}-\d{2}-\d{2}))$/;
const WITHOUT_YEAR = { of: /^(?:gpt-[34]|grok-)/, date: /-(\d{4})$/ };

/** The older order of the parts of Claude's names: claude-3-5-sonnet. */
const OLDER_CLAUDE = /^claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku|fable)/;

/** A model's name, without who serves it, and the day of its version; empty where it has none. */
export interface CanonicalName {
  readonly name: string;
  readonly date: string;
}

/**
 * Returns what all spellings of a model's name have in common, by the rules on which public lists agree:
 * `us.anthropic.claude-sonnet-5-5-v1:0`, `anthropic/claude-sonnet-5.5` and `claude-sonnet-5-5@20260928` are one.
 */
export function canonicalName(written: string): CanonicalName {
  let rest = written.toLowerCase();
  let date = "";
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(BEFORE, "").replace(BEDROCK, "").replace(ENDING, "");
    for (const { of, ending } of OWN_ENDINGS) if (of.test(rest)) rest = rest.replace(ending, "");
    const dated = DATE.exec(rest) ?? (WITHOUT_YEAR.of.test(rest) ? WITHOUT_YEAR.date.exec(rest) : null);
    if (dated === null) continue;
    date = (dated[1] ?? dated[2] ?? "").replaceAll("-", "");
    rest = rest.slice(0, dated.index);
  }
  const isClaude = rest.startsWith("claude");
  return { name: isClaude ? rest.replaceAll(".", "-").replace(OLDER_CLAUDE, "claude-$2-$1") : rest, date };
}

/** Lists the spellings under which a list may have a model, the nearest first: as written, without its path, plain. */
export function listSpellings(written: string): readonly string[] {
  return [written, written.slice(written.lastIndexOf("/") + 1), canonicalName(written).name];
}
