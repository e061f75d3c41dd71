import type { Topic } from "../topic.ts";
import { audio } from "./audio.ts";
import { automaticCaching } from "./automatic-caching.ts";
import { blankTexts } from "./blank-texts.ts";
import { cacheControlOfChat } from "./cache-control-of-chat.ts";
import { cacheMarks } from "./cache-marks.ts";
import { cachedToolResults } from "./cached-tool-results.ts";
import { citedDocuments } from "./cited-documents.ts";
import { compactionsOfAnotherOrigin, summaries } from "./compactions.ts";
import { customToolCalls } from "./custom-tool-calls.ts";
import { customTools } from "./custom-tools.ts";
import { deprecatedMaxTokens } from "./deprecated-max-tokens.ts";
import { displacedInstructions } from "./displaced-instructions.ts";
import { documents } from "./documents.ts";
import { documentsById } from "./documents-by-id.ts";
import { documentsByUrl } from "./documents-by-url.ts";
import { encryptedReasoning } from "./encrypted-reasoning.ts";
import { functions } from "./functions.ts";
import { futureValues } from "./future-values.ts";
import { highTemperature } from "./high-temperature.ts";
import { images } from "./images.ts";
import { instructions } from "./instructions.ts";
import { jsonObject } from "./json-object.ts";
import { lengthStop } from "./length-stop.ts";
import { manyCacheMarks } from "./many-cache-marks.ts";
import { marksForOthers } from "./marks-for-others.ts";
import { namespacedTools } from "./namespaced-tools.ts";
import { answeredToolCallIds, parallelToolCalls } from "./parallel-tool-calls.ts";
import { participantNames } from "./participant-names.ts";
import { picturesOfResults } from "./pictures-of-results.ts";
import { redactedThinking } from "./redacted-thinking.ts";
import { refusal } from "./refusal.ts";
import { refusalAtOnce } from "./refusal-at-once.ts";
import { resultsWithoutCalls } from "./results-without-calls.ts";
import { sampling } from "./sampling.ts";
import { searchResults } from "./search-results.ts";
import { severalChoices } from "./several-choices.ts";
import { severalTurns } from "./several-turns.ts";
import { stopSequences } from "./stop-sequences.ts";
import { looseStructuredOutput, reducedStructuredOutput, structuredOutput } from "./structured-output.ts";
import { text } from "./text.ts";
import { thinkingAskedFor } from "./thinking-asked-for.ts";
import { thinkingOfAnotherOrigin } from "./thinking-of-another-origin.ts";
import { thinkingOfUnknownOrigin } from "./thinking-of-unknown-origin.ts";
import { thinkingSentBack } from "./thinking-sent-back.ts";
import { thinkingSettings } from "./thinking-settings.ts";
import { tokenProbabilities } from "./token-probabilities.ts";
import { toolCallIds } from "./tool-call-ids.ts";
import { toolChoices } from "./tool-choice.ts";
import { toolResults } from "./tool-results.ts";
import { unknownMembers } from "./unknown-members.ts";
import { urlCitations } from "./url-citations.ts";
import { usage } from "./usage.ts";
import { webSearch } from "./web-search.ts";
import { webSearches } from "./web-searches.ts";

/** Every topic, in the order of the matrix. */
export const topics: readonly Topic[] = [
  text,
  instructions,
  displacedInstructions,
  severalTurns,
  images,
  documents,
  documentsByUrl,
  documentsById,
  citedDocuments,
  searchResults,
  participantNames,
  audio,
  sampling,
  highTemperature,
  lengthStop,
  deprecatedMaxTokens,
  stopSequences,
  toolResults,
  resultsWithoutCalls,
  picturesOfResults,
  blankTexts,
  ...toolChoices,
  structuredOutput,
  looseStructuredOutput,
  reducedStructuredOutput,
  jsonObject,
  toolCallIds,
  ...thinkingSettings,
  thinkingAskedFor,
  thinkingSentBack,
  thinkingOfAnotherOrigin,
  thinkingOfUnknownOrigin,
  redactedThinking,
  encryptedReasoning,
  summaries,
  compactionsOfAnotherOrigin,
  refusal,
  refusalAtOnce,
  usage,
  cacheMarks,
  cacheControlOfChat,
  cachedToolResults,
  manyCacheMarks,
  automaticCaching,
  marksForOthers,
  parallelToolCalls,
  answeredToolCallIds,
  severalChoices,
  functions,
  customTools,
  namespacedTools,
  webSearch,
  webSearches,
  unknownMembers,
  ...futureValues,
  customToolCalls,
  tokenProbabilities,
  urlCitations,
];
