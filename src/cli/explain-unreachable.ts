import { Code, ConnectError } from "@connectrpc/connect";

/** Says why a service did not answer as Attune does, and what to change; `limitMs` is how long it was waited for. */
export function explainUnreachable(url: string, thrown: unknown, limitMs: number): string {
  if (!(thrown instanceof ConnectError)) return `${url}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  if (thrown.code === Code.DeadlineExceeded) return `${url} did not answer within ${limitMs / 1000} s`;
  const { code, message } = systemError(thrown.cause);
  if (/^HTTP 50[234]$/.test(thrown.rawMessage)) {
    return `${url} answered with ${thrown.rawMessage}: the service behind it is down, or the proxy doesn't route to it`;
  }
  if (code === undefined || code === "EPIPE") {
    const statusText = /^HTTP \d+$/.test(thrown.rawMessage) ? ` (${thrown.rawMessage})` : "";
    return `${url} does not answer as Attune's administration does${statusText}: --url is the address of the service itself`;
  }
  if (code === "EPROTO") return `${url} does not speak TLS: is its address http://?`;
  const isUntrusted = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
  const hint = isUntrusted ? "set NODE_EXTRA_CA_CERTS to the certificate of its authority" : "is --url right?";
  return `cannot reach ${url}: ${message}; ${hint}`;
}

/** Node tells several addresses of one name in one error, whose own message is empty. */
function systemError(thrown: unknown): { readonly code?: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { message: "" };
  const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : undefined;
  const { message } = thrown.message === "" && first instanceof Error ? first : thrown;
  return "code" in thrown && typeof thrown.code === "string" ? { code: thrown.code, message } : { message };
}
