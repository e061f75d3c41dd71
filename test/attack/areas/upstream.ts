import { UPSTREAM_KINDS } from "../../support/upstream-frames.ts";
import type { Area, Input, Target } from "../area.ts";
import { UPSTREAM_MODELS } from "../configuration.ts";
import { type Answer, quote } from "../http/answer.ts";
import { ANSWER_MS, Connection } from "../http/connection.ts";
import { type Request, writeRequest } from "../http/request.ts";
import type { Fault } from "../inputs/fault.ts";
import { makeQuestion, QUESTIONS } from "../inputs/questions.ts";
import { makeFault } from "../inputs/upstream-faults.ts";
import { makeWholeFault } from "../inputs/whole-faults.ts";
import { judgeExchange, type Problem, parseJson, problem, streamEnd } from "../judge.ts";
import { judgeFramed, judgeUnary } from "../judge-rpc.ts";
import type { Random } from "../random.ts";

/** Answers of the three kinds of upstream, asked for in each format, streamed and whole, and over RPC. */
export const upstreamArea: Area = {
  name: "upstream",
  share: 4,
  // Some wait for time to pass.
  lanes: 16,
  limitMs: ANSWER_MS + 5000,
  open(target) {
    const connection = new Connection(target.service.port);
    return {
      make: (random, number) => makeInput(random, number, { connection, target }),
      close: () => connection.close(),
    };
  },
};

function makeInput(
  random: Random,
  number: number,
  { connection, target }: { connection: Connection; target: Target },
): Input {
  const kindIndex = random.integer(0, 2);
  const kind = UPSTREAM_KINDS[kindIndex] ?? "chat";
  const question = random.pick(QUESTIONS);
  const isStream = random.oneIn(2);
  const request = makeQuestion(question, {
    model: UPSTREAM_MODELS[kindIndex] ?? "",
    isStream,
    // Then the answer is kept back, checked, and asked for once more.
    isChecked: random.oneIn(3),
    text: `script ${number}`,
    key: target.service.key,
  });
  // An upstream that is asked for a whole answer streams now and then, and the other way round.
  const fault = (isStream ? random.oneIn(8) : !random.oneIn(4))
    ? makeWholeFault(random, kind)
    : makeFault(random, kind);
  return {
    what: () => `${question}${isStream ? ", streamed," : ""} asks an upstream of the kind ${kind} that ${fault.name}`,
    async send() {
      target.upstream.script(number, fault.script);
      try {
        const exchange = await connection.send(writeRequest(request), "POST");
        if (exchange.kind !== "answer") return judgeExchange(exchange, expectationOf(request, fault, target));
        return question === "rpc"
          ? judgeRpc(exchange.answer, fault)
          : judgeHttp(exchange.answer, { request, fault, target });
      } finally {
        target.upstream.forget(number);
      }
    },
  };
}

/** What an upstream does wrong is told with 502 and beyond; its own status may stand. */
const UPSTREAM_FAILURES = new Set([502, 503, 504, 529]);

function expectationOf(request: Request, { status }: Fault, { service }: Target) {
  return {
    method: "POST",
    path: request.path,
    namesVersion: false,
    mayClose: false,
    mayFail: new Set([...UPSTREAM_FAILURES, status]),
    secrets: service.secrets,
  };
}

function judgeHttp(
  answer: Answer,
  { request, fault, target }: { request: Request; fault: Fault; target: Target },
): Problem[] {
  const problems = judgeExchange({ kind: "answer", answer }, expectationOf(request, fault, target));
  if (answer.body.includes("Attune failed to handle"))
    problems.push(problem("5xx", `${answer.status} ${quote(answer.body)}`));
  if (answer.status !== 200) return problems;
  if (!(answer.headers["content-type"] ?? "").startsWith("text/event-stream")) {
    if (fault.isCut) problems.push(problem("cut stream", `200 for an answer that was cut: ${quote(answer.body)}`));
    return problems;
  }
  const text = answer.body.toString("utf8");
  if (fault.isCut && streamEnd(text) === "finished")
    problems.push(problem("cut stream", `finished: ${quote(text.slice(-200), 200)}`));
  const broken = text
    .split("\n")
    .find(
      (line) =>
        line.startsWith("data: ") && line !== "data: [DONE]" && parseJson(Buffer.from(line.slice(6))) === undefined,
    );
  if (broken !== undefined) problems.push(problem("envelope", `an event that is no JSON: ${quote(broken)}`));
  return problems;
}

function judgeRpc(answer: Answer, fault: Fault): Problem[] {
  const isStream = (answer.headers["content-type"] ?? "").startsWith("application/connect+");
  const problems = isStream
    ? judgeFramed(answer)
    : judgeUnary({ ...answer, status: UPSTREAM_FAILURES.has(answer.status) ? 429 : answer.status });
  const isFinished = isStream ? answer.body.includes('"finished":') : answer.status === 200;
  if (fault.isCut && isFinished)
    problems.push(problem("cut stream", `finished: ${quote(answer.body.subarray(-200), 200)}`));
  return problems;
}
