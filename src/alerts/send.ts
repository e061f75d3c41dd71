import { checkPublicUrl, PrivateAddressError } from "../lib/public-address.ts";
import { standardWebhookHeaders } from "../lib/standard-webhook.ts";
import type { Destination } from "./destinations.ts";
import type { Message } from "./message.ts";
import type { Delivery } from "./ports.ts";
import type { SmtpSettings } from "./settings.ts";

/** Most milliseconds of one attempt. */
const ATTEMPT_MS = 10_000;

/** A POST of a message. */
interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** False where names must resolve to addresses of the internet. */
  readonly mayBePrivate: boolean;
  readonly deadlineMs: number;
}

/** A mail. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** The ways out. */
export interface SendPorts {
  /** Resolves to the status of the answer; follows no redirect. */
  readonly post: (post: Post) => Promise<number>;
  /** Rejects where the server does not take the mail. */
  readonly mail: (mail: Mail, smtp: SmtpSettings) => Promise<void>;
  readonly smtp: () => SmtpSettings | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The end of one attempt. */
export interface SendResult {
  readonly isDelivered: boolean;
  /** True if it would fail again. */
  readonly isFinal: boolean;
  readonly status: number | null;
  /** Undefined where it was delivered. */
  readonly problem: string | undefined;
}

/** Sends a message once. Never rejects. */
export async function send(
  delivery: Pick<Delivery, "id" | "body">,
  destination: Destination,
  ports: SendPorts,
): Promise<SendResult> {
  try {
    if (destination.kind === "email") return await sendMail(delivery, destination, ports);
    const status = await sendPost(delivery, destination, ports);
    const isDelivered = status >= 200 && status < 300;
    // By Standard Webhooks, 410 says that nothing is wanted any more.
    const problem = isDelivered ? undefined : `the answer had the status ${status}`;
    return { isDelivered, isFinal: status === 410, status, problem };
  } catch (error) {
    return {
      isDelivered: false,
      isFinal: error instanceof PrivateAddressError,
      status: null,
      problem: describe(error),
    };
  }
}

async function sendPost(
  { id, body }: Pick<Delivery, "id" | "body">,
  to: Destination,
  ports: SendPorts,
): Promise<number> {
  const { kind, target: url, secret, mayBePrivate, projectId } = to;
  if (!mayBePrivate) await checkPublicUrl(url, projectId);
  const where = { url, mayBePrivate, deadlineMs: ATTEMPT_MS };
  if (kind === "slack") {
    const headers = { "content-type": "application/json" };
    return await ports.post({ ...where, headers, body: toSlack(JSON.parse(body) as Message) });
  }
  const timestamp = Math.floor(ports.now() / 1000);
  return await ports.post({ ...where, headers: standardWebhookHeaders({ id, timestamp, body }, secret), body });
}

async function sendMail(
  { id, body }: Pick<Delivery, "id" | "body">,
  to: Destination,
  ports: SendPorts,
): Promise<SendResult> {
  const smtp = ports.smtp();
  if (smtp === undefined) {
    const problem = "alerts.smtp of attune.yaml names no server for mail";
    return { isDelivered: false, isFinal: true, status: null, problem };
  }
  const { data } = JSON.parse(body) as Message;
  await ports.mail({ to: to.target, subject: data.title, text: data.text, messageId: id }, smtp);
  return { isDelivered: true, isFinal: true, status: null, problem: undefined };
}

/** Most characters of a problem. */
const MOST_CHARACTERS = 300;

/** Of an error it says no more than what happened: its cause may have addresses that were tried. */
function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : "it failed";
  return text.slice(0, MOST_CHARACTERS);
}

/**
 * Writes a message for an incoming webhook of Slack's kind: `text` is what notifications show, and servers that know no
 * blocks. See https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 */
function toSlack({ data: { title, text } }: Message): string {
  return JSON.stringify({
    text: escapeText(title),
    blocks: [{ type: "section", text: { type: "mrkdwn", text: escapeText(text) } }],
  });
}

/** Replaces the characters that Slack gives a meaning to: a name must not become a link or a mention. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
