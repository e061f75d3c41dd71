/** What the dashboard's API answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What a procedure returned; undefined if it failed. */
  readonly data: unknown;
  /** What a failure said. */
  readonly error:
    | { readonly message: string; readonly data: { readonly code: string; readonly fields?: unknown } }
    | undefined;
}

/** A browser, as far as the API can tell: it keeps its cookie, and says where its requests come from. */
export class Caller {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Name and value of the cookie that it has. */
  cookie: string | undefined;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async query(path: string, input?: unknown): Promise<Answer> {
    const parameters = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return await this.#send(`${path}${parameters}`, {});
  }

  async mutate(path: string, input?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const body = input === undefined ? "" : JSON.stringify(input);
    const own = { "content-type": "application/json", origin: this.#url, ...this.#headers, ...headers };
    return await this.#send(path, { method: "POST", body, headers: own });
  }

  async #send(path: string, { headers, ...init }: RequestInit): Promise<Answer> {
    const cookie = this.cookie === undefined ? {} : { cookie: this.cookie };
    const all = { ...this.#headers, ...(headers as Record<string, string>), ...cookie };
    const response = await fetch(`${this.#url}/dashboard/api/${path}`, { ...init, headers: all });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      this.cookie = /^[^=]+=$/.test(pair) ? undefined : pair;
    }
    const body = (await response.json()) as { result?: { data?: unknown }; error?: Answer["error"] };
    return { status: response.status, headers: response.headers, data: body.result?.data, error: body.error };
  }
}

/** The password of every account in tests. */
export const PASSWORD = "a few plain words";
