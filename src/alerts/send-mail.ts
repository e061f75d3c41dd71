import type { Mail } from "./send.ts";
import type { SmtpSettings } from "./settings.ts";

/** Most milliseconds of one step of the exchange with the server. */
const STEP_MS = 10_000;

/** Sends a mail over SMTP. Rejects where the server does not take it. */
export async function sendMail({ to, subject, text, messageId }: Mail, smtp: SmtpSettings): Promise<void> {
  const { host, port, tls, user, password, from } = smtp;
  // Loaded only where mail is sent.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // A message is text of ours alone: no address and no file that it names is read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, to, subject, text, messageId: `<${messageId}@attune>` });
  } finally {
    transport.close();
  }
}
