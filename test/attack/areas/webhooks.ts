import type { Area, Input, Target } from "../area.ts";
import { HOOKED_MODELS, WEBHOOK_DEADLINE_MS } from "../configuration.ts";
import { type Answer, quote } from "../http/answer.ts";
import { Connection } from "../http/connection.ts";
import { type Request, writeRequest } from "../http/request.ts";
import { makeQuestion, QUESTIONS } from "../inputs/questions.ts";
import { makeWebhookFault, passes } from "../inputs/webhook-faults.ts";
import { judgeExchange, type Problem, problem, streamEnd } from "../judge.ts";
import { judgeFramed, judgeUnary } from "../judge-rpc.ts";
import type { Random } from "../random.ts";

/**
 * Answers beside each one whose webhook is hostile: one that fails more often is left alone, and no longer attacked.
 */
const HEALTHY = 9;
/** What an answer may take beside the webhook's deadline. */
const SLACK_MS = 2500;

/**
 * Webhooks that do what they should not, asked about answers of the sandbox: those are given as they are, and in time.
 */
export const webhooksArea: Area = {
  name: "webhooks",
  share: 1,
  lanes: HOOKED_MODELS.length,
  limitMs: 2 * WEBHOOK_DEADLINE_MS + 10_000,
  open(target) {
    const connection = new Connection(target.service.port);
    // Each lane has a webhook of its own: what one does must not be taken for what another does.
    const model = free.shift() ?? HOOKED_MODELS[0] ?? "";
    return {
      make: (random, number) => makeInput(random, number, { connection, target, model }),
      close() {
        free.push(model);
        connection.close();
      },
    };
  },
};

const free = [...HOOKED_MODELS];

interface Place {
  readonly connection: Connection;
  readonly target: Target;
  readonly model: string;
}

function makeInput(random: Random, number: number, { connection, target, model }: Place): Input {
  const question = random.pick(QUESTIONS);
  const isStream = random.oneIn(2);
  const isSeveral = random.oneIn(3);
  const fault = makeWebhookFault(random);
  const asked = { model, text: `script ${number}`, key: target.service.key, isChecked: false };
  const headers = isSeveral ? [["attune-candidates", "3"] as const] : [];
  const hostile = makeQuestion(question, { ...asked, isStream, headers });
  const plain = makeQuestion("chat", { ...asked, isStream: false });
  const send = async (request: Request): Promise<Problem[]> => {
    const sentMs = performance.now();
    const exchange = await connection.send(writeRequest(request), "POST");
    const tookMs = performance.now() - sentMs;
    const problems = judge(exchange, request, target);
    if (tookMs > WEBHOOK_DEADLINE_MS + SLACK_MS) problems.push(problem("hang", `${Math.round(tookMs)} ms`));
    return problems;
  };
  return {
    what: () => `${question}${isStream ? ", streamed," : ""}${isSeveral ? " of three" : ""}: its webhook ${fault.name}`,
    async send() {
      const problems: Problem[] = [];
      let calls = 0;
      target.upstream.script(number, (response, socket, request) => {
        // A redirect that is followed says what the answer was again, or is no POST.
        if (request.url?.startsWith("/hooked-") !== true || request.method !== "POST")
          problems.push(problem("secret", `followed to ${request.method} ${request.url}`));
        return (calls++ === 0 ? fault.script : passes)(response, socket, request);
      });
      try {
        problems.push(...(await send(hostile)));
        for (let healthy = 0; healthy < HEALTHY; healthy++) problems.push(...(await send(plain)));
        return problems;
      } finally {
        target.upstream.forget(number);
      }
    },
  };
}

/** Whatever its webhook does, the answer is that of the model, whole and in its form. */
function judge(exchange: Awaited<ReturnType<Connection["send"]>>, request: Request, { service }: Target): Problem[] {
  const { path } = request;
  const secrets = service.secrets;
  const expectation = { method: "POST", path, namesVersion: false, mayClose: false, secrets };
  if (exchange.kind !== "answer") return judgeExchange(exchange, expectation);
  const { answer } = exchange;
  const isRpc = path.startsWith("/attune.");
  const problems = isRpc ? judgeRpc(answer) : judgeExchange(exchange, expectation);
  if (answer.status !== 200) problems.push(problem("5xx", `${answer.status} ${quote(answer.body)}`));
  else if (!answer.body.includes("sandbox")) problems.push(problem("envelope", `no answer: ${quote(answer.body)}`));
  const text = answer.body.toString("utf8");
  const isEvents = (answer.headers["content-type"] ?? "").startsWith("text/event-stream");
  if (isEvents && streamEnd(text) !== "finished") problems.push(problem("cut stream", quote(text.slice(-200), 200)));
  return problems;
}

function judgeRpc(answer: Answer): Problem[] {
  const isStream = (answer.headers["content-type"] ?? "").startsWith("application/connect+");
  return isStream ? judgeFramed(answer) : judgeUnary(answer);
}
