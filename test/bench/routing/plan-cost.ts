import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { blockDeltaEvent } from "../../../src/hub/events.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import type { EventSink, Upstream } from "../../../src/hub/upstream.ts";
import { SharedCalls } from "../../../src/inference/coalescing/shared-calls.ts";
import type { Origin } from "../../../src/inference/ports.ts";
import type { InferenceRun } from "../../../src/inference/run/inference-run.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createRouting } from "../../../src/routing/routing.ts";
import { planContext } from "../../support/plan-context.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const DEPLOYMENTS = 8;
const WARM_UP = 20_000;
const PLANS = 50_000;

/** Microseconds that something takes. */
export interface PlanCost {
  readonly what: string;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

/**
 * Measures what it takes to plan over eight deployments about which something is known, and to find out which requests
 * are identical.
 */
export function measurePlanCost(): readonly PlanCost[] {
  const { router } = watchedRouting({});
  const marking = watchedRouting({ takesCacheMarks: true }).router;
  const naming = watchedRouting({ takesCacheKeys: true }).router;
  const coalescing = { projectId: "p", streamed: true };
  const plan =
    (input: HubInput, by = router) =>
    (inferenceId: string) => {
      by.plan(input, planContext({ inferenceId, streamed: true }));
    };
  const key = (input: HubInput) => () => router.coalescing(input, coalescing);
  return [
    { what: "plan, short prompt", ...measure(plan(shortInput())) },
    { what: "plan, 30 KB with tools", ...measure(plan(longInput())) },
    { what: "the same, for a cache that goes by marks", ...measure(plan(longInput(), marking)) },
    { what: "the same, for a cache that takes a key", ...measure(plan(longInput(), naming)) },
    { what: "key of a request that leaves its answer to chance", ...measure(key(longInput())) },
    { what: "key at temperature 0, short prompt", ...measure(key({ ...shortInput(), temperature: 0 })) },
    { what: "key at temperature 0, 30 KB with tools", ...measure(key({ ...longInput(), temperature: 0 })) },
    { what: "64 batches of a call that others may share", ...measure(shareWithNobody) },
  ];
}

const BATCHES = Array.from({ length: 64 }, (_, piece) => [
  blockDeltaEvent(0, { case: "text", value: ` word${piece}` }),
]);
const SINK: EventSink = (events) => void events.length;

/** An answer that could be shared, and has one reader. */
function shareWithNobody(): void {
  const call = new SharedCalls().begin("key", {} as InferenceRun);
  void call.join(SINK, new AbortController().signal);
  for (const batch of BATCHES) void call.take(batch);
  call.end();
}

function measure(run: (id: string) => void): Omit<PlanCost, "what"> {
  for (let count = 0; count < WARM_UP; count++) run(newId());
  const times = new Float64Array(PLANS);
  for (let count = 0; count < PLANS; count++) {
    const id = newId();
    const begin = performance.now();
    run(id);
    times[count] = (performance.now() - begin) * 1000;
  }
  times.sort();
  return { p50Micros: times[PLANS * 0.5] ?? Number.NaN, p99Micros: times[PLANS * 0.99] ?? Number.NaN };
}

/** Routing as it is after some traffic: each place has answered, with times of its own. */
function watchedRouting(members: Partial<Upstream>) {
  const names = Array.from({ length: DEPLOYMENTS }, (_, index) => `up${index}`);
  const deployments = names.map((upstream) => ({ upstream, model: "m" }));
  const model = { ...stubModel, name: "bench", family: "chat" as const, minCacheableTokens: 1024, deployments };
  const routing = createRouting({
    catalog: createCatalog([model], "attune"),
    upstreams: new Map(names.map((name) => [name, { ...stubUpstream(name, []), ...members }])),
    sandboxes: new Set(),
    shares: { failover: 0.1, hedging: 0.02, retry: 0.1 },
    now: () => performance.now(),
  });
  for (let call = 0; call < 800; call++) answer(routing, deployments[call % DEPLOYMENTS] as Origin, call);
  return routing;
}

function answer({ watch }: ReturnType<typeof createRouting>, place: Origin, call: number): void {
  watch.began(place, { role: "primary", position: 0 });
  const facts = { id: `${call}`, model: "bench", streamed: true };
  watch.answered({ place, afterMs: 40 + (call % 37), upstreamHeaders: {} }, facts);
}

const textBlock = (text: string) => ({ kind: { case: "text" as const, value: { text } } });

function shortInput(): HubInput {
  const messages = [{ content: [textBlock("What is the capital of Norway?")] }];
  return createHubInput({ model: "attune/bench", dialect: Dialect.CHAT, messages });
}

/** An agent's request: 10 KB of instructions, 10 KB of tools, 10 KB of conversation. */
function longInput(): HubInput {
  const line = "All of this text stands for what agents are told. ";
  const long = textBlock(line.repeat(200));
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`argument${index}`, { type: "string", description: line }]),
  );
  const parametersJson = JSON.stringify({ type: "object", properties });
  const tools = Array.from({ length: 10 }, (_, index) => ({
    kind: {
      case: "function" as const,
      value: { name: `tool_${index}`, description: line.repeat(4), parametersJson },
    },
  }));
  const messages = [{ content: [long] }];
  return createHubInput({
    model: "attune/bench",
    dialect: Dialect.CHAT,
    system: [long],
    messages,
    tools,
  });
}
