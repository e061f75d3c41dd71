import type { Message } from "./message.ts";

/**
 * Writes a message for an incoming webhook of Slack's kind: `text` is what notifications show, and servers that know no
 * blocks. See https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 */
export function toSlack({ data: { title, text } }: Message): string {
  return JSON.stringify({
    text: escapeText(title),
    blocks: [{ type: "section", text: { type: "mrkdwn", text: escapeText(text) } }],
  });
}

/** Replaces the characters that Slack gives a meaning to: a name must not become a link or a mention. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
