import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { orderPipelined } from "../../src/server/order-pipelined.ts";
import { waitFor } from "../support/wait.ts";

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

describe("orderPipelined()", () => {
  let server: Server;
  let client: Socket;
  let isAnswering: boolean;
  let begun: [path: string, response: ServerResponse][];

  beforeEach(async () => {
    begun = [];
    isAnswering = false;
    const begin = ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
      begun.push([url, response]);
      if (isAnswering) response.end();
    };
    server = createServer(orderPipelined(begin));
    await once(server.listen(0, "127.0.0.1"), "listening");
    client = connect((server.address() as AddressInfo).port, "127.0.0.1").resume();
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  it("begins a request when the answer before it has ended", async () => {
    client.write(["/a", "/b", "/c"].map(request).join(""));
    for (const paths of [["/a"], ["/a", "/b"], ["/a", "/b", "/c"]]) {
      await waitFor(() => expect(begun.map(([path]) => path)).toEqual(paths));
      begun.at(-1)?.[1].end();
    }
  });

  it("cuts a connection on which more than 512 requests wait, and has no more made of the same read", async () => {
    let made = 0;
    server.prependListener("request", () => {
      made += 1;
    });
    client.write(request("/a").repeat(1500));
    await once(client, "close");
    expect([begun.length, made]).toEqual([1, 514]);
  });

  it("lets 512 wait", async () => {
    client.write(request("/a").repeat(513));
    await waitFor(() => expect(begun).toHaveLength(1));
    isAnswering = true;
    begun[0]?.[1].end();
    await waitFor(() => expect(begun).toHaveLength(513));
  });
});
