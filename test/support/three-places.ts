import { Writable } from "node:stream";
import { pino } from "pino";
import { freePort } from "./free-port.ts";
import { FAILURES, FORMATS, failingAnswer, MODES, type Mode, PLACES } from "./place-failures.ts";
import { type Answer, startScriptedUpstream, wholeAnswer } from "./scripted-upstream.ts";
import { startTestService, type TestService } from "./service.ts";
import { FRAMES } from "./upstream-frames.ts";
import { WHOLES } from "./upstream-wholes.ts";

/** A model of its own for each case, so that no case cools a place for another one: its name says what happens. */
export const nameOf = (failure: string, failing: number, mode: Mode): string =>
  `${failure.replaceAll(" ", "-")}.${failing}.${mode}`;

/** A service with its three places, and what is to be seen of a call. */
export interface ThreePlaces {
  readonly service: TestService;
  ask(model: string, mode: Mode, path?: string, body?: object, headers?: object): Promise<Seen>;
  close(): Promise<void>;
}

/** All that is to be seen of one call. */
export interface Seen {
  readonly id: string;
  readonly answer: object;
  /** The places that got a request, in their order. */
  readonly asked: readonly (string | undefined)[];
  /** Place, role, outcome and reason of each attempt that the log tells of. */
  readonly logged: readonly (readonly unknown[])[];
  /** By how much each count of attempts has grown, by place and outcome. */
  readonly counted: Readonly<Record<string, number>>;
}

/**
 * Starts a service whose models are served by three places, each of another format; names of models say who fails, and
 * how.
 */
export async function startThreePlaces(): Promise<ThreePlaces> {
  const lines: Record<string, unknown>[] = [];
  const upstream = await startScriptedUpstream();
  upstream.answerBy(play);
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const closed = `http://127.0.0.1:${await freePort()}`;
  const service = await startTestService({ yaml: yaml(upstream.url, closed), log: pino({ level: "info" }, stream) });
  const countsOf = () => readCounts(service.adminUrl);

  /** Asks for one answer, and gathers all that is to be seen of it. */
  const ask = async (
    model: string,
    mode: Mode,
    path = "chat/completions",
    body: object = {},
    headers: object = {},
  ): Promise<Seen> => {
    const before = await countsOf();
    upstream.received.length = 0;
    lines.length = 0;
    const prompt = path === "responses" ? {} : { messages: [{ role: "user", content: "x" }] };
    const response = await fetch(`${service.url}/v1/${path}`, {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify({ model: `attune/${model}`, ...prompt, stream: mode === "streamed", ...body }),
    });
    const text = await response.text();
    // Something failed in every case, so that the log has the id of answers and of errors alike.
    const id = String(lines.find(({ inferenceId }) => inferenceId !== undefined)?.inferenceId);
    const after = await countsOf();
    return {
      answer: response.ok
        ? { status: response.status, text: textOf(text, mode), servedBy: response.headers.get("attune-served-by") }
        : { status: response.status, code: (JSON.parse(text) as { error: { code: string } }).error.code },
      asked: upstream.received.map(({ path }) => path.split("/")[1]),
      logged: lines
        .filter(({ inferenceId, role }) => inferenceId === id && role !== undefined)
        .map(({ upstream, role, outcome, reason }) => [String(upstream).replace(/-.*/, ""), role, outcome, reason]),
      counted: Object.fromEntries(
        Object.entries(after).flatMap(([key, count]) =>
          count === (before[key] ?? 0) ? [] : [[key, count - (before[key] ?? 0)]],
        ),
      ),
      id,
    };
  };

  return {
    service,
    ask,
    async close() {
      await service.close();
      await upstream.close();
    },
  };
}

/** Text of an answer in Chat Completions. */
function textOf(body: string, mode: Mode): string {
  type Part = { content?: string };
  if (mode === "whole")
    return (JSON.parse(body) as { choices?: { message: Part }[] }).choices?.[0]?.message.content ?? "";
  return body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => (JSON.parse(line.slice(6)) as { choices: { delta: Part }[] }).choices[0]?.delta.content ?? "")
    .join("");
}

/** Attempts by place and outcome, as /metrics has them. */
async function readCounts(adminUrl: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const all = text.matchAll(/^attune_attempts_total\{upstream="(\w+)(?:-\w+)?",outcome="(\w+)"\} (\d+)$/gm);
  const counts: Record<string, number> = {};
  for (const [, place, outcome, count] of all) {
    const key = `${place} ${outcome}`;
    counts[key] = (counts[key] ?? 0) + Number(count);
  }
  return counts;
}

/** Plays the place that is asked: the model that it is asked for says what happens there. */
function play(path: string, body: string): Answer {
  const place = PLACES.find((name) => path.startsWith(`/${name}/`)) ?? "one";
  const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
  const [, name = "", failing = "0"] = /^real-(.*)\.(\d)\.\w+$/.exec(model) ?? [];
  const failure = Object.entries(FAILURES).find(([failure]) => failure.replaceAll(" ", "-") === name)?.[1].answer;
  if (failure !== undefined && PLACES.indexOf(place) < Number(failing)) return failingAnswer(failure, FORMATS[place]);
  const format = FORMATS[place];
  return stream === true ? { steps: FRAMES[format].text } : wholeAnswer(WHOLES[format].text);
}

/** Upstreams of their own for what needs other settings. */
const SUFFIXES: Readonly<Record<string, string>> = {
  "it takes no connections": "-closed",
  "it is silent": "-hasty",
};

function yaml(url: string, closed: string): string {
  const upstreams = (name: string, base: string, suffix = "", more = ""): string => {
    const kind = { chat: "openai-chat", responses: "openai-responses", messages: "anthropic-messages" };
    const format = FORMATS[name as keyof typeof FORMATS];
    const path = format === "messages" ? "" : "/v1";
    return `  ${name}${suffix}: { kind: ${kind[format]}, baseUrl: "${base}/${name}${path}"${more} }\n`;
  };
  const model = (name: string, deployments: readonly string[]): string => `
  - name: "${name}"
    family: messages
    purpose: tests
    contextWindow: 8000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    optimizations: { choice: false }
    deployments: [ ${deployments.join(", ")} ]`;
  const at = (place: string, name: string, more = ""): string => `{ upstream: ${place}, model: "real-${name}"${more} }`;
  const models = Object.keys(FAILURES).flatMap((failure) =>
    [1, 2, 3].flatMap((failing) =>
      MODES.map((mode) => {
        const name = nameOf(failure, failing, mode);
        const suffix = SUFFIXES[failure] ?? "";
        return model(
          name,
          PLACES.map((place, index) => {
            // A place that takes longer prompts than those before it.
            return at(index < failing ? place + suffix : place, name, `, contextWindow: ${8000 * (index + 1)}`);
          }),
        );
      }),
    ),
  );
  const price = (input: number, output: number): string =>
    `, price: { input: ${input}, output: ${output}, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }`;
  const long = nameOf("the prompt is too long", 1, "whole").replace(".whole", ".larger");
  return `
routing: { failoverShare: 1 }
upstreams:
${PLACES.map((name) => upstreams(name, url) + upstreams(name, closed, "-closed") + upstreams(name, url, "-hasty", ", timeouts: { firstByteMs: 600 }")).join("")}
models:${models.join("")}${model("differing", [at("one", "differing"), at("two", "differing")])}${model(
    "differing-little",
    [at("one", "differing-little")],
  )}${model("larger", [at("one", long, ", contextWindow: 8000"), at("two", long, ", contextWindow: 8000"), at("three", long, ", contextWindow: 16000")])}${model(
    "priced",
    [
      at("one", nameOf("it has failed", 1, "whole").replace(".whole", ".priced"), price(5, 5)),
      at("two", "priced", price(0, 1)),
    ],
  )}
`;
}
