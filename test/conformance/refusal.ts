import type { Inbound, Refused } from "./topic.ts";

/** A request that is refused because of one place in it. */
export interface Refusal {
  /** In a word or two, for the matrix. */
  readonly name: string;
  readonly param: string;
  readonly message: string;
}

/** Writes out a refusal in the envelope of the caller's format. */
export function refusal(inbound: Inbound, { name, param, message }: Refusal): Refused {
  const said = `"message":"${param}: ${message}"`;
  const type = '"type":"invalid_request_error"';
  const body =
    inbound === "messages"
      ? `{"type":"error","error":{${type},${said}},"request_id":"<request>"}`
      : `{"error":{${said},${type},"param":"${param}","code":null}}`;
  return { refused: { status: 400, body, name } };
}
