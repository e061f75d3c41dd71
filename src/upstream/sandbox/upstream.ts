import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { startedEvent } from "../../hub/events.ts";
import type { HubInput } from "../../hub/input.ts";
import { PartCounter } from "../../hub/tokens/part-counter.ts";
import { type PromptPart, partsOfBlock, partsOfTool } from "../../hub/tokens/prompt-parts.ts";
import { loadTokenizer, type Tokenizer } from "../../hub/tokens/tokenizer.ts";
import type { EventSink, TokenCount, Upstream, UpstreamTarget } from "../../hub/upstream.ts";
import { createBreakDraw, withBrokenJson } from "./broken-json.ts";
import { composeAnswer } from "./compose-answer.ts";
import { directedFailure } from "./directed-failure.ts";
import { type Directive, readDirective } from "./directive.ts";
import { embed } from "./embed.ts";
import { listLosses } from "./list-losses.ts";
import { pause, YieldTimer } from "./pause.ts";
import { prefixKeys } from "./prefix-keys.ts";
import { type PromptBlock, promptBlocks } from "./prompt-blocks.ts";
import { type CacheUse, PromptCache } from "./prompt-cache.ts";
import { streamAnswer } from "./stream-answer.ts";

/** The sandbox's model name: whatever name it is served under, no answer pretends to be a model's. */
const SANDBOX_MODEL = "sandbox";

/**
 * Creates an upstream that answers from the request alone: deterministic, without a network, and obedient to the test
 * directives of docs/sandbox.md.
 */
export function createSandboxUpstream(name: string, { now = Date.now }: SandboxOptions = {}): Upstream {
  const cache = new PromptCache(now);
  const isBroken = createBreakDraw();
  const read = (input: HubInput, target: UpstreamTarget): Request => {
    return { input, target, directive: readDirective(input), cache, isBroken };
  };
  return {
    name,
    prepare(input, target) {
      const request = read(input, target);
      return { losses: listLosses(input), send: (sink, signal) => send(name, request, { sink, signal }) };
    },
    fingerprint(input, target) {
      const { directive } = read(input, target);
      // Failures are told in the words of the caller's format.
      return JSON.stringify([listLosses(input), directive === undefined ? undefined : input.dialect]);
    },
    prepareCount(input, target) {
      const request = read(input, target);
      return { losses: listLosses(input), send: (signal) => count(name, request, signal) };
    },
  };
}

/** The options of the sandbox. */
interface SandboxOptions {
  /** Tells the time in milliseconds, for the prompt cache. */
  readonly now?: () => number;
}

interface Request {
  /** Draws whether an answer is broken that is to be in so many of 100. */
  readonly isBroken: (percent: number) => boolean;
  readonly cache: PromptCache;
  readonly input: HubInput;
  readonly target: UpstreamTarget;
  readonly directive: Directive | undefined;
}

async function send(
  name: string,
  request: Request,
  { sink, signal }: { readonly sink: EventSink; readonly signal: AbortSignal },
): Promise<void> {
  request.target.onSent?.();
  try {
    for await (const events of answer(request, signal)) await sink(events);
  } catch (thrown) {
    throw InferenceError.from(thrown).with({ upstream: name });
  }
}

/** Counts as an answer's usage does. What a directive fails, it fails here too. */
async function count(name: string, { input, directive }: Request, signal: AbortSignal): Promise<TokenCount> {
  try {
    await begin(input, directive, signal);
    const counts = await countBlockTokens(promptBlocks(input), await loadTokenizer(), signal);
    return { inputTokens: sum(counts), upstreamRequestId: "" };
  } catch (thrown) {
    throw InferenceError.from(thrown).with({ upstream: name });
  }
}

/** Gives way to other work, and fails if it is told to. */
async function begin(input: HubInput, directive: Directive | undefined, signal: AbortSignal): Promise<void> {
  await pause(0, signal);
  const failure = directive === undefined ? undefined : directedFailure(directive, input.dialect);
  if (failure !== undefined) throw failure;
}

async function* answer(request: Request, signal: AbortSignal): AsyncGenerator<GenerateEvent[]> {
  const { input, target, directive } = request;
  await begin(input, directive, signal);
  if (input.embedding !== undefined) return yield await embed(input, SANDBOX_MODEL, signal);
  const tokenizer = await loadTokenizer();
  const blocks = promptBlocks(input);
  const counts = await countBlockTokens(blocks, tokenizer, signal);
  checkContextWindow(sum(counts), target);
  const whole = await composeAnswer(input, { directive, tokenizer, asker: { projectId: target.projectId, signal } });
  const composed =
    directive?.name === "broken-json" && request.isBroken(directive.value) ? withBrokenJson(whole) : whole;
  const { commit, ...cached } = cacheUse(request, blocks, counts);
  const prompt = { ...cached, inputTokens: sum(counts) - cached.cacheReadTokens - cached.cacheWriteTokens };
  commit();
  yield [startedEvent({ usage: prompt, serving: { upstreamModel: SANDBOX_MODEL } })];
  const value = (wanted: Directive["name"]): number | undefined =>
    directive?.name === wanted ? directive.value : undefined;
  await pause(value("slow-first-token") ?? 0, signal);
  yield* streamAnswer(composed, {
    tokenizer,
    prompt,
    maxTokens: Math.min(input.maxOutputTokens ?? Number.POSITIVE_INFINITY, target.model.maxOutputTokens),
    tokenDelayMs: value("slow") ?? 0,
    breakAfterTokens: value("mid-stream-death"),
    signal,
  });
}

/** Prompts without marks are not looked at: they would pay for keys that nobody reads. */
function cacheUse(
  { cache, input, target: { model, deployment, projectId } }: Request,
  blocks: readonly PromptBlock[],
  counts: readonly number[],
): CacheUse {
  const marks = blocks.flatMap(({ ttl }, index) => (ttl === undefined ? [] : [{ index, ttl }]));
  const isUsed = marks.length > 0 && model.minCacheableTokens > 0;
  let total = 0;
  return cache.use({
    keys: isUsed ? prefixKeys(input, blocks, [projectId, model.name, deployment.model]) : [],
    tokens: counts.map((tokens) => {
      total += tokens;
      return total;
    }),
    marks: isUsed ? marks : [],
    minTokens: model.minCacheableTokens,
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function checkContextWindow(inputTokens: number, { model }: UpstreamTarget): void {
  const most = model.maxInputTokens ?? model.contextWindow;
  if (inputTokens <= most) return;
  throw new InferenceError(
    ErrorReason.CONTEXT_LENGTH_EXCEEDED,
    `the prompt has ${inputTokens} tokens, and the model accepts ${most}: shorten it`,
    { upstreamStatus: 400, promptTokens: inputTokens, maxPromptTokens: most },
  );
}

/** Counts the tokens of each block. Other work runs meanwhile. */
export async function countBlockTokens(
  blocks: readonly PromptBlock[],
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const turns = new YieldTimer(signal);
  const counter = new PartCounter(tokenizer);
  const counts: number[] = [];
  for (const block of blocks) {
    let tokens = 0;
    for (const part of getParts(block)) {
      const counting = counter.count(part);
      let step = counting.next();
      for (; step.done !== true; step = counting.next()) if (turns.isOver) await turns.next();
      tokens += step.value;
    }
    counts.push(tokens);
  }
  return counts;
}

function getParts(block: PromptBlock): Generator<PromptPart> {
  return block.section === "tools" ? partsOfTool(block.tool) : partsOfBlock(block.block);
}
