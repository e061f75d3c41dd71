import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FORMATS, PATH } from "../../test/support/sdk-calls.ts";
import { answerOf, COLUMNS, isStream } from "./answers.ts";

const STREAMED = /"stream"\s*:\s*true/;

/** A server that answers each column's failure below the column's number, and records when it was asked. */
export interface RecordingServer {
  readonly url: string;
  /** Returns when calls of a column came, in milliseconds of a monotonic clock. */
  times(column: string): readonly number[];
  close(): void;
}

/** Starts the server. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const times = new Map<string, number[]>(COLUMNS.map((column) => [column, []]));
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const column = COLUMNS[Number(path.split("/")[1])] ?? "";
    const format = FORMATS.find((each) => path.endsWith(PATH[each]));
    let asked = "";
    request.setEncoding("utf8").on("data", (text: string) => (asked += text));
    request.on("end", () => {
      // What is asked for whole is answered with no stream.
      const isStreamed = STREAMED.test(asked) || !isStream(column);
      if (format === undefined || request.method !== "POST" || !isStreamed) return response.writeHead(404).end();
      times.get(column)?.push(performance.now());
      const { status, headers, body } = answerOf(column, format);
      return response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times: (column) => times.get(column) ?? [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
