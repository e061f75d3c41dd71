import { EventEmitter } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { createReceivingCapacity } from "../../../src/admission/receive-body.ts";
import { ResponsesSocket, type SocketOptions } from "../../../src/facade/socket/responses-socket.ts";

class StubSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly sent: unknown[] = [];
  closed: number | undefined;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code: number): void {
    this.closed = code;
    this.emit("close");
  }

  terminate(): void {}
}

describe("ResponsesSocket", () => {
  it("says of a connection that is old, in the format's own words, that its client has to open another one", () => {
    const socket = new StubSocket();
    const capacity = () => createReceivingCapacity({ bodyBytes: 1000, receivingBytes: 1000, projectShare: 1 });
    const admission = { principal: { keyId: "k", projectId: "p" } };
    const member = new ResponsesSocket(
      socket as unknown as WebSocket,
      { id: "r", raw: { socket: Object.assign(new EventEmitter(), { resume() {} }) } } as unknown as FastifyRequest,
      admission,
      { limits: {}, receiving: capacity(), remembering: capacity() } as unknown as SocketOptions,
    );
    member.retire("age");
    expect(socket.sent).toEqual([
      {
        type: "error",
        status: 400,
        error: {
          type: "invalid_request_error",
          code: "websocket_connection_limit_reached",
          message: "the connection has been open for as long as it may be: open another one and go on there",
          param: null,
        },
      },
    ]);
    expect(socket.closed).toBe(1000);
  });
});
