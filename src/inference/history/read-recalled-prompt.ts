import type { HubInput } from "../../hub/input.ts";
import type { Signer } from "../../lib/signer.ts";
import { checkToolResults } from "./check-tool-results.ts";
import { openSummaries } from "./compaction.ts";
import { type Prompt, readPrompt } from "./history.ts";
import { findMarkedCalls, recallMembers, recallsMembers } from "./recall-members.ts";
import { findSearches, recallSearches } from "./recall-searches.ts";
import { recallsThinking, recallThinking } from "./recall-thinking.ts";

type HistoryPorts = Parameters<typeof readPrompt>[2];

/** The reader of a prompt. */
interface PromptReader {
  readonly projectId: string;
  /** Knows what Attune has signed for the project. */
  readonly signer: Signer;
}

/** Reads the conversation that an input continues, and what its caller cannot send back of it. */
export async function readRecalledPrompt(
  input: HubInput,
  { projectId, signer }: PromptReader,
  ports: HistoryPorts,
): Promise<Prompt> {
  const { archive } = ports;
  const asked = await readPrompt(input, projectId, ports);
  checkToolResults(asked);
  const searches = findSearches(asked.input.messages);
  const found = searches.length === 0 ? asked : await withSearches(asked, searches, { projectId, archive });
  const prompt = openSummaries({ ...found, signer });
  if (recallsMembers(input, projectId, archive)) {
    const calls = findMarkedCalls(prompt.input.messages, signer);
    const members = calls.length === 0 ? undefined : await recallMembers(calls, { projectId, archive });
    return { ...prompt, recallsMembers: true, members };
  }
  if (!recallsThinking(input, projectId, archive)) return prompt;
  return { ...prompt, recalls: true, recalled: await recallThinking(prompt.input, { signer, projectId, archive }) };
}

/** Puts the provider's own blocks in the place of web searches that the conversation holds in another form. */
async function withSearches(
  asked: Omit<Prompt, "signer">,
  searches: readonly string[],
  record: Parameters<typeof recallSearches>[2],
): Promise<Omit<Prompt, "signer">> {
  const { input } = asked;
  return { ...asked, input: { ...input, messages: await recallSearches(input.messages, searches, record) } };
}
