import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { type Waiting, WaitingRequests } from "../../../src/inference/run/waiting-requests.ts";

let nowMs = 0;
beforeEach(() => {
  nowMs = 1000;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pass(ms: number): void {
  for (let passed = 0; passed < ms; passed += 1) {
    nowMs += 1;
    vi.advanceTimersByTime(1);
  }
}

/**
 * A request whose answer is waited for from now on; the one with its conversation is another where that has more
 * messages.
 */
function waitingFor(messages: number, ofConversation = messages): Waiting {
  const inputOf = (count: number) =>
    createHubInput({ messages: Array.from({ length: count }, () => ({ role: Role.USER, content: [] })) });
  const input = inputOf(messages);
  const prompt = { input: ofConversation === messages ? input : inputOf(ofConversation) };
  return { slot: -1, startMs: performance.now(), input, prompt };
}

describe("WaitingRequests", () => {
  it("packs a request of many messages soon, and one of few where the answer takes long", () => {
    const packed: HubInput[] = [];
    const requests = new WaitingRequests((input) => void packed.push(input));
    const [many, few, goesOn] = [waitingFor(16), waitingFor(15), waitingFor(1, 40)];
    for (const waiting of [many, few, goesOn]) requests.add(waiting);
    pass(49);
    expect(packed).toEqual([]);
    pass(1);
    expect(packed).toEqual([many.input, many.input, goesOn.input, goesOn.prompt.input]);
    expect(packed[3]).toBe(goesOn.prompt.input);
    requests.remove(many);
    requests.remove(goesOn);
    packed.length = 0;
    pass(449);
    expect(packed).toEqual([]);
    pass(1);
    expect(packed).toEqual([few.input, few.input]);
  });

  it("packs none whose answer was there before", () => {
    const packed: HubInput[] = [];
    const requests = new WaitingRequests((input) => void packed.push(input));
    const [one, other] = [waitingFor(20), waitingFor(20)];
    requests.add(one);
    requests.add(other);
    requests.remove(one);
    pass(50);
    expect(packed).toEqual([other.input, other.input]);
  });

  it("holds up others for some milliseconds at a time, and goes on at the next one", () => {
    const packed = new Set<HubInput>();
    const requests = new WaitingRequests((input) => {
      // To pack one takes 1.5 ms, and nothing where it is packed.
      if (!packed.has(input)) nowMs += 1.5;
      packed.add(input);
    });
    for (let index = 0; index < 10; index += 1) requests.add(waitingFor(20));
    pass(50);
    expect(packed.size).toBe(3);
    pass(50);
    expect(packed.size).toBe(6);
    pass(100);
    expect(packed.size).toBe(10);
  });

  it("does not try again what cannot be packed", () => {
    let tries = 0;
    const requests = new WaitingRequests(() => {
      tries += 1;
      throw new Error("1.5 is no whole number");
    });
    requests.add(waitingFor(20));
    pass(500);
    expect(tries).toBe(1);
  });
});
