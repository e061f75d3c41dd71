import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { hiddenCharacter } from "../../src/lib/hidden-characters.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople, type People } from "../dashboard/people.ts";

/** Shows as "admin" with its letters in another order. */
const REVERSED = "\u202enimda";
const PROBLEM = "must not have control characters, nor characters that change the direction of text; it has U+202E";

let service: DashboardService;
let people: People;
let key: string;

beforeAll(async () => {
  service = await startDashboardService();
  people = await createPeople(service);
  ({ key } = await createKey(service.store, { projectId: people.projectId, name: "test" }));
});

afterAll(() => service.close());

const ask = (path: string, body: unknown) =>
  fetch(`${service.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("hiddenCharacter()", () => {
  it.each(["plain", "Größe", "שלום", "مرحبا", "a\u200fb", "👩‍💻", "日本語"])("%s shows", (name) => {
    expect(hiddenCharacter(name)).toBeUndefined();
  });

  it.each([
    ["a\0", "U+0000"],
    ["a\nb", "U+000A"],
    ["a\u007f", "U+007F"],
    ["a\u2028b", "U+2028"],
    ["\u202aa", "U+202A"],
    ["\u202ea", "U+202E"],
    ["\u2066a", "U+2066"],
    ["a\u2069", "U+2069"],
  ])("%j does not", (name, found) => expect(hiddenCharacter(name)).toBe(found));
});

describe("a name with a character that does not show is refused", () => {
  it("for keys and projects", async () => {
    const { projectId, byRole } = people;
    const answers = [
      await byRole.developer.mutate("keys.create", { projectId, name: REVERSED }),
      await byRole.owner.mutate("projects.create", { name: REVERSED }),
      await byRole.owner.mutate("projects.rename", { projectId, name: REVERSED }),
    ];
    for (const { status, error } of answers) expect([status, error?.message]).toEqual([400, `name: ${PROBLEM}`]);
  });

  it("for metrics and tags", async () => {
    const chat = await ask("chat/completions", {
      model: "attune/gpt-6-astra",
      messages: [{ role: "user", content: "Hello" }],
    });
    const { id } = (await chat.json()) as { id: string };
    const say = async (event: object) => {
      const answer = await ask("feedback", [{ id, ...event }]);
      return await answer.text();
    };
    expect(await say({ feedback: { [REVERSED]: true } })).toContain(`has a member whose name ${PROBLEM}`);
    expect(await say({ feedback: { quality: { [REVERSED]: 1 } } })).toContain(
      `feedback.quality: has a member whose name ${PROBLEM}`,
    );
    expect(await say({ feedback: {}, tags: { [REVERSED]: "a" } })).toContain(`tags: ${PROBLEM}`);
    expect(await say({ feedback: { comment: REVERSED } })).not.toContain(PROBLEM);
  });

  it("for workloads over RPC", async () => {
    const client = createClient(InferenceService, createConnectTransport({ httpVersion: "1.1", baseUrl: service.url }));
    const input = {
      model: "attune/gpt-6-astra",
      workload: REVERSED,
      messages: [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }],
    };
    await expect(client.generate({ input }, { headers: { authorization: `Bearer ${key}` } })).rejects.toThrow(
      `[invalid_argument] workload: ${PROBLEM}`,
    );
  });
});
