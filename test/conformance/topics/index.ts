import type { Topic } from "../topic.ts";
import { audio } from "./audio.ts";
import { citedDocuments } from "./cited-documents.ts";
import { deprecatedMaxTokens } from "./deprecated-max-tokens.ts";
import { displacedInstructions } from "./displaced-instructions.ts";
import { documents } from "./documents.ts";
import { documentsById } from "./documents-by-id.ts";
import { documentsByUrl } from "./documents-by-url.ts";
import { highTemperature } from "./high-temperature.ts";
import { images } from "./images.ts";
import { instructions } from "./instructions.ts";
import { jsonObject } from "./json-object.ts";
import { lengthStop } from "./length-stop.ts";
import { answeredToolCallIds, parallelToolCalls } from "./parallel-tool-calls.ts";
import { participantNames } from "./participant-names.ts";
import { sampling } from "./sampling.ts";
import { severalTurns } from "./several-turns.ts";
import { stopSequences } from "./stop-sequences.ts";
import { looseStructuredOutput, structuredOutput } from "./structured-output.ts";
import { text } from "./text.ts";
import { toolCallIds } from "./tool-call-ids.ts";
import { toolChoices } from "./tool-choice.ts";
import { toolResults } from "./tool-results.ts";

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
  participantNames,
  audio,
  sampling,
  highTemperature,
  lengthStop,
  deprecatedMaxTokens,
  stopSequences,
  toolResults,
  ...toolChoices,
  parallelToolCalls,
  answeredToolCallIds,
  toolCallIds,
  structuredOutput,
  looseStructuredOutput,
  jsonObject,
];
