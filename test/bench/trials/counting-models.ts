import { loadTokenizer, splitStretches } from "../../../src/hub/tokens/tokenizer.ts";
import type { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { answerIn, type ScriptedRequest, type World } from "./world.ts";

/** A call as the models count it. */
export interface CountedCall {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** `trial` is the answer to a request that a user has an answer to already. */
  readonly kind: "user" | "trial" | "grade";
  /** The user's words that it is about; each user has other ones. */
  readonly question: string;
  readonly text: string;
  readonly nanos: number;
}

/** Scripted models that count their calls and what these cost, by their own tokens and prices. */
export interface CountingModels {
  readonly calls: readonly CountedCall[];
  /** Text of an attune.yaml that serves them, with learning in the mode `observe` and no trials of new requests. */
  readonly yaml: string;
  close(): Promise<void>;
}

/** USD for a million tokens: base is neither the cheapest nor the most expensive. */
const PRICES = {
  base: { input: 3, output: 15 },
  poor: { input: 5, output: 25 },
  good: { input: 1, output: 5 },
  judge: { input: 1, output: 5 },
};
const LATENCY_MS = 20;
/** Tokens around a message. */
const FRAME_TOKENS = 4;

/** Starts the models of a world, named base, poor and good, and its judge. Each answer has a text of its own. */
export async function startCountingModels(world: World, random: SeededRandom): Promise<CountingModels> {
  const { count } = await loadTokenizer();
  const tokensOf = (text: string) => [...splitStretches(text)].reduce((sum, stretch) => sum + count(stretch), 0);
  const calls: CountedCall[] = [];
  const asked = new Set<string>();
  let answers = 0;
  // On a busy machine a request may come seconds late: on a connection that is closed meanwhile it would be sent twice,
  // and the lost one costs an estimate that nobody here has counted.
  const upstream = await startScriptedUpstream({ keepAliveMs: 60_000 });
  upstream.answerBy((_, body) => {
    const at = Date.now();
    upstream.received.length = 0;
    const request = JSON.parse(body) as ScriptedRequest;
    const { model, messages } = request;
    const last = messages.at(-1)?.content ?? "";
    const isGrade = model === "judge" && last.startsWith("{");
    const question = isGrade ? askedIn(last) : last;
    const kind = isGrade ? "grade" : asked.has(question) ? "trial" : "user";
    asked.add(question);
    const scripted = answerIn(world, random, request);
    answers += 1;
    const text = isGrade ? scripted : `${scripted} (${answers})`;
    const prompt_tokens = messages.reduce((sum, { content }) => sum + FRAME_TOKENS + tokensOf(content), 0);
    const completion_tokens = tokensOf(text);
    const { input, output } = PRICES[model as keyof typeof PRICES];
    const nanos = 1000 * (prompt_tokens * input + completion_tokens * output);
    calls.push({ at, kind, question, text, nanos });
    const whole = {
      id: `chatcmpl-${answers}`,
      object: "chat.completion",
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    };
    const { headers, steps } = wholeAnswer(JSON.stringify(whole));
    return { headers, steps: [{ waitMs: LATENCY_MS }, ...steps] };
  });
  return {
    calls,
    yaml: yamlOf(upstream.url),
    close: () => upstream.close(),
  };
}

/** Finds the last words of a user in a judge's material. */
function askedIn(material: string): string {
  const { conversation } = JSON.parse(material) as { readonly conversation: readonly { readonly text: string }[] };
  return conversation.at(-1)?.text ?? "";
}

function yamlOf(url: string): string {
  const models = Object.entries(PRICES).map(([name, price]) => ({
    name,
    family: "chat",
    contextWindow: 200_000,
    maxOutputTokens: 200,
    price,
    deployments: [{ upstream: "chat", model: name }],
  }));
  return `
learning: { mode: observe, unit: request, shadow: { share: 0, judge: judge } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: scripted }
models: ${JSON.stringify(models)}
`;
}
