import { EventEmitter } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type HubMember, SocketHub } from "../../../src/facade/socket/socket-hub.ts";

class StubSocket extends EventEmitter {
  bufferedAmount = 0;
  readonly pings: number[] = [];
  isTerminated = false;

  ping(): void {
    this.pings.push(Date.now());
  }

  terminate(): void {
    this.isTerminated = true;
    this.emit("close");
  }
}

const PROJECT_SHARE = 0.75;
/** A key of a project of its own, unless the project is given. */
const user = (keyId: string, projectId = keyId) => ({ keyId, projectId });

function join(hub: SocketHub, owner = user("k")) {
  const socket = new StubSocket();
  const retired: string[] = [];
  const member: HubMember = {
    socket: socket as unknown as WebSocket,
    user: owner,
    arrivingSinceMs: undefined,
    retire: (reason) => {
      retired.push(reason);
    },
  };
  hub.add(member);
  return { socket, retired };
}

describe("SocketHub", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance", "Date"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("pings, and cuts who has not answered by the next time", () => {
    const hub = new SocketHub({ maxAgeMs: 1_000_000, pingMs: 1000, projectShare: PROJECT_SHARE });
    const [alive, dead] = [join(hub), join(hub)];
    vi.advanceTimersByTime(1000);
    expect([alive.socket.pings.length, dead.socket.pings.length]).toEqual([1, 1]);
    alive.socket.emit("pong");
    vi.advanceTimersByTime(1000);
    expect([alive.socket.isTerminated, dead.socket.isTerminated]).toEqual([false, true]);
    hub.end();
  });

  it("retires connections that are old, and all of them at the end", () => {
    const hub = new SocketHub({ maxAgeMs: 2500, pingMs: 1000, projectShare: PROJECT_SHARE });
    const old = join(hub);
    vi.advanceTimersByTime(1500);
    const young = join(hub);
    old.socket.emit("message");
    vi.advanceTimersByTime(500);
    for (const { socket } of [old, young]) socket.emit("pong");
    vi.advanceTimersByTime(1000);
    expect([old.retired, young.retired]).toEqual([["age"], []]);
    hub.end();
    expect(young.retired).toEqual(["ending"]);
    expect(join(hub).retired).toEqual(["ending"]);
    expect(() => hub.check(user("k"))).toThrow("the service is stopping: try again shortly");
  });

  it("has room for 256 connections of a key, and gives it back", () => {
    const hub = new SocketHub({ maxAgeMs: 1_000_000, projectShare: PROJECT_SHARE });
    const joined = Array.from({ length: 256 }, () => join(hub));
    expect(() => hub.check(user("k"))).toThrow("this key has too many WebSocket connections open");
    expect(() => hub.check(user("other"))).not.toThrow();
    joined[0]?.socket.emit("close");
    expect(() => hub.check(user("k"))).not.toThrow();
    hub.end();
  });

  it("has a part of its connections for the keys of one project, however many there are", () => {
    const hub = new SocketHub({ maxAgeMs: 1_000_000, projectShare: PROJECT_SHARE });
    for (let key = 0; key < 12; key++) {
      for (let count = 0; count < 256; count++) join(hub, user(`k${key}`, "many"));
    }
    expect(() => hub.check(user("one more", "many"))).toThrow(
      "the keys of this project together have too many WebSocket connections open: use those that there are",
    );
    expect(() => hub.check(user("other"))).not.toThrow();
    hub.end();
  });
});
