import { InferenceError } from "../../hub/error.ts";
import type { HttpAnswer, HttpClient, HttpRequest } from "../http.ts";
import type { RequestSigner, Signature } from "./request-signer.ts";

/** A body is held so long in case that its signature is refused: refusals come at once, answers may take an hour. */
const HOLD_MS = 5000;

/**
 * Returns a client that signs its requests. One whose signature is refused is sent once more with other credentials.
 */
export function signRequests(client: HttpClient, signer: RequestSigner): HttpClient {
  return {
    async post(request) {
      const again = request.body.copy();
      const timer = setTimeout(() => again.release(), HOLD_MS);
      timer.unref();
      try {
        const signature = await sign(request, signer);
        const answer = await send(client, request, signature);
        if (!isRefusal(answer) || !again.isHeld || !(await signature.replace())) return answer;
        answer.drain();
        const second = { ...request, body: again.copy() };
        return await send(client, second, await sign(second, signer));
      } finally {
        clearTimeout(timer);
        again.release();
      }
    },
    close: () => client.close(),
  };
}

/** 403 is how AWS says that a session token is over. */
function isRefusal({ status }: HttpAnswer): boolean {
  return status === 401 || status === 403;
}

async function send(client: HttpClient, request: HttpRequest, { headers, secrets }: Signature): Promise<HttpAnswer> {
  const answer = await client.post({ ...request, headers: { ...request.headers, ...headers } });
  return { ...answer, secrets };
}

/** A caller who goes does not wait for credentials. */
async function sign({ url, headers, body, signal }: HttpRequest, signer: RequestSigner): Promise<Signature> {
  const signature = signer.sign({ method: "POST", url, headers, body: body.bytes });
  if (!(signature instanceof Promise)) return signature;
  const gone = Promise.withResolvers<never>();
  const onAbort = (): void => gone.reject(InferenceError.fromAbort(signal));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([signature, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
