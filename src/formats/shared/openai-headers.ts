/** Response headers of OpenAI's formats that tell of the upstream's limits and its work. */
export const OPENAI_FORWARDED_HEADERS = ["x-ratelimit-", "openai-processing-ms"];
