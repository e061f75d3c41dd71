import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Destination } from "../../src/alerts/destinations.ts";
import { alertMessage } from "../../src/alerts/message.ts";
import type { AlertRecord } from "../../src/alerts/ports.ts";
import { type SendPorts, send } from "../../src/alerts/send.ts";
import { sendMail } from "../../src/alerts/send-mail.ts";
import type { SmtpSettings } from "../../src/alerts/settings.ts";

const AT = new Date("2026-11-27T10:00:00Z");
const ALERT: AlertRecord = {
  id: "a",
  projectId: "p",
  rule: "error-rate",
  kind: "error-rate",
  subject: "",
  value: 0.5,
  threshold: 0.2,
  summary: "50% of 40 calls failed in 15 minutes",
  openedAt: AT,
  seenAt: AT,
  closedAt: null,
};
const names = new Map([["p", "<!channel> & co"]]);
const message = alertMessage("alert.opened", [ALERT], { names, now: AT, dashboardUrl: undefined });
const delivery = { id: "0190", body: JSON.stringify(message) };

const to = (more: Partial<Destination>): Destination => ({
  id: "config:ops",
  name: "ops",
  kind: "webhook",
  target: "http://127.0.0.1:1/",
  secret: undefined,
  projectId: undefined,
  mayBePrivate: true,
  sends: ["alerts"],
  rules: undefined,
  ...more,
});

interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function createPorts({ status = 200, smtp }: { readonly status?: number; readonly smtp?: SmtpSettings } = {}) {
  const posted: Posted[] = [];
  const ports: SendPorts = {
    async post({ headers, body }) {
      posted.push({ headers, body });
      return status;
    },
    mail: sendMail,
    smtp: () => smtp,
    now: () => 1_674_087_231_265,
  };
  return { ports, posted };
}

describe("send()", () => {
  it("signs id, time and body with the secret that whsec_ marks as base64", async () => {
    const { ports, posted } = createPorts();
    // The example of https://github.com/standard-webhooks/standard-webhooks, by its own secret.
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    await send(example, to({ secret }), { ...ports, now: () => 1_614_265_330_000 });
    expect(posted[0]).toEqual({
      headers: {
        "content-type": "application/json",
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      body: '{"test": 2432232314}',
    });
  });

  it("writes text and blocks for Slack, where a name is neither a link nor a mention", async () => {
    const { ports, posted } = createPorts();
    await send(delivery, to({ kind: "slack" }), ports);
    const text = "Alert: Error rate, project &lt;!channel&gt; &amp; co: 50% of 40 calls failed in 15 minutes";
    expect(posted).toEqual([
      {
        headers: { "content-type": "application/json" },
        body: `{"text":"${text}","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"${text}"}}]}`,
      },
    ]);
  });

  it("does not post to a private network where that is not allowed, and does not try it again", async () => {
    const { ports, posted } = createPorts();
    const result = await send(delivery, to({ mayBePrivate: false, target: "http://169.254.169.254/latest" }), ports);
    expect(result).toMatchObject({ isDelivered: false, isFinal: true, status: null });
    expect(result.problem).toMatch(/^169\.254\.169\.254 is not an address of the internet/);
    expect(posted).toEqual([]);
  });

  it.each([
    [204, { isDelivered: true }],
    [302, { isDelivered: false, isFinal: false, problem: "the answer had the status 302" }],
    [503, { isDelivered: false, isFinal: false, status: 503 }],
    [410, { isDelivered: false, isFinal: true }],
  ])("takes the status %i for what it is", async (status, result) => {
    const { ports } = createPorts({ status });
    expect(await send(delivery, to({}), ports)).toMatchObject(result);
  });

  it("says where mail lacks a server", async () => {
    const { ports } = createPorts();
    const result = await send(delivery, to({ kind: "email", target: "ops@example.com" }), ports);
    expect(result.problem).toBe("alerts.smtp of attune.yaml names no server for mail");
  });
});

describe("sendMail()", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Starts a server that takes every mail, or none. */
  async function startSmtp(answer: string): Promise<{ readonly smtp: SmtpSettings; readonly lines: string[] }> {
    const lines: string[] = [];
    server = createServer((socket) => {
      socket.write("220 mail.example.com\r\n");
      let isData = false;
      let rest = "";
      socket.on("data", (bytes) => {
        const parts = (rest + bytes.toString()).split("\r\n");
        rest = parts.pop() ?? "";
        for (const line of parts) {
          lines.push(line);
          if (isData && line !== ".") continue;
          if (line === "DATA") {
            isData = true;
            socket.write("354 go on\r\n");
          } else if (line === ".") {
            isData = false;
            socket.write(`${answer}\r\n`);
          } else socket.write(line.startsWith("QUIT") ? "221 bye\r\n" : "250 ok\r\n");
        }
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const account = { user: undefined, password: undefined, from: "Attune <attune@example.com>" };
    return { smtp: { host: "127.0.0.1", port, tls: "none", ...account }, lines };
  }

  it("hands the message to the server, from the sender that is configured", async () => {
    const { smtp, lines } = await startSmtp("250 taken");
    const { ports } = createPorts({ smtp });
    const result = await send(delivery, to({ kind: "email", target: "ops@example.com" }), ports);
    expect(result).toEqual({ isDelivered: true, isFinal: true, status: null, problem: undefined });
    expect(lines).toEqual(
      expect.arrayContaining([
        "MAIL FROM:<attune@example.com>",
        "RCPT TO:<ops@example.com>",
        "From: Attune <attune@example.com>",
        "To: ops@example.com",
        "Message-ID: <0190@attune>",
      ]),
    );
    expect(lines.join("\n")).toMatch(/^Subject: Alert: Error rate, project <!channel> & co: 50% of 40 calls failed/m);
  });

  it("is tried again where the server does not take it", async () => {
    const { smtp } = await startSmtp("451 later");
    const { ports } = createPorts({ smtp });
    const result = await send(delivery, to({ kind: "email", target: "ops@example.com" }), ports);
    expect(result).toMatchObject({ isDelivered: false, isFinal: false });
    expect(result.problem).toMatch(/451 later/);
  });
});
