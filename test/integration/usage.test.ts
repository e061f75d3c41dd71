import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dimension, UsageService } from "../../gen/attune/usage/v1/usage_pb.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey, listKeys } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";

const MODEL = "attune/sandbox";

describe.each(ENGINES)("usage of a service on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;
  let reader: string;
  let idle: string;
  let publicId = "";

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
    ({ key: reader } = await createKey(service.store, { name: "reader", permissions: ["read:project"] }));
    ({ key: idle } = await createKey(service.store, { name: "idle" }));
    publicId = (await listKeys(service.store)).find(({ name }) => name === "test")?.publicId ?? "";
    const model = await firstModel();
    for (let call = 0; call < 3; call += 1) {
      const body = JSON.stringify({ model, messages: [{ role: "user", content: `Hello ${call}` }] });
      const headers = {
        ...asKey(service.key).headers,
        "attune-session": "run-1",
        "attune-user": "ann",
        "attune-tags": "team=search",
      };
      const { status } = await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body });
      expect(status).toBe(200);
    }
    const events = [{ session: "run-1", feedback: { passed: true, score: 0.5 } }];
    await service.flush();
    await fetch(`${service.url}/v1/feedback`, { ...asKey(service.key), method: "POST", body: JSON.stringify(events) });
    await fetch(`${service.url}/v1/chat/completions`, { ...asKey(service.key), method: "POST", body: "{" });
    await service.flush();
  });
  afterAll(() => service.close());

  const asKey = (key: string) => ({ headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } });
  const get = (query: string, key = service.key) => fetch(`${service.url}/v1/usage${query}`, asKey(key));

  async function firstModel(): Promise<string> {
    const { data } = (await (await fetch(`${service.url}/v1/models`, asKey(service.key))).json()) as {
      readonly data: readonly { readonly id: string }[];
    };
    return data[0]?.id ?? MODEL;
  }

  it("is told in JSON of a key's own calls, and of all with read:project", async () => {
    const model = await firstModel();
    const figures = { calls: 3, failed_calls: 0, output_tokens: expect.any(Number) };
    const own = await (await get("?group_by=key,model")).json();
    expect(own).toMatchObject({ object: "list", data: [{ key: publicId, model, ...figures }], total: figures });
    expect(await (await get("?group_by=key,model", reader)).json()).toEqual(own);
    expect(await (await get("", idle)).json()).toMatchObject({ data: [], total: { calls: 0, cost_usd: null } });
  });

  it("is told by session", async () => {
    const figures = { calls: 3, failed_calls: 0, latency_p50_ms: expect.any(Number) };
    const own = await (await get("?group_by=session,key")).json();
    expect(own).toMatchObject({ data: [{ session: "run-1", key: publicId, ...figures }], total: { calls: 3 } });
  });

  it.each(["key", "model", "project", "session", "end_user", "tag"])("tells feedback by %s", async (dimension) => {
    const told = { feedback_entries: 2, boolean_feedback_entries: 1, true_feedback_entries: 1 };
    expect(await (await get(`?group_by=${dimension}`, reader)).json()).toMatchObject({ data: [told], total: told });
    expect(await (await get(`?group_by=${dimension}`)).json()).toMatchObject({ data: [told], total: told });
  });

  it("is told by end user and by tag", async () => {
    const [heading, row] = (await (await get("?group_by=end_user&format=csv")).text()).split("\r\n");
    expect(heading).toMatch(/^end_user,calls,failed_calls,/);
    expect(row).toMatch(/^ann,3,0,/);
    const byTag = await (await get("?group_by=tag,project", reader)).json();
    expect(byTag).toMatchObject({ data: [{ tag: "team=search", project: DEFAULT_PROJECT.id, calls: 3 }] });
  });

  it("is told in CSV", async () => {
    const response = await get("?group_by=project&format=csv", reader);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [heading, row, end] = (await response.text()).split("\r\n");
    expect(heading).toBe(
      "project,calls,failed_calls,input_tokens,cache_read_tokens,cache_write_tokens,output_tokens,reasoning_tokens," +
        "estimated_calls,priced_calls,cost_usd,latency_p50_ms,latency_p95_ms,feedback_entries," +
        "boolean_feedback_entries,true_feedback_entries",
    );
    expect(row).toMatch(new RegExp(`^${DEFAULT_PROJECT.id},3,0,\\d+,`));
    expect(row?.split(",").at(-4)).toMatch(/^\d+(\.\d{1,3})?$/);
    expect(row?.split(",").slice(-3)).toEqual(["2", "1", "1"]);
    expect(end).toBe("");
  });

  it.each([
    ["?group_by=key,key", "group_by"],
    ["?group_by=colour", "group_by"],
    ["?group_by=end_user,tag", "group_by"],
    ["?group_by=session,tag", "group_by"],
    ["?format=xml", "format"],
    ["?from=yesterday", "from"],
    ["?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z", "from"],
    ["?colour=red", "colour"],
  ])("refuses %s, and names the parameter", async (query, param) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });

  it("is told over RPC, with the refused calls", async () => {
    const client = createClient(UsageService, createGrpcTransport({ baseUrl: service.url }));
    const headers = { authorization: `Bearer ${service.key}` };
    const { groups, total } = await client.getUsage({ groupBy: [Dimension.KEY] }, { headers });
    expect(groups.map(({ values, figures }) => [values, figures?.calls])).toEqual([[[publicId], 3n]]);
    const byUser = await client.getUsage({ groupBy: [Dimension.END_USER, Dimension.KEY] }, { headers });
    expect(byUser.groups.map(({ values }) => values)).toEqual([["ann", publicId]]);
    expect(total).toMatchObject({ calls: 3n, feedbackEntries: 2n, trueFeedbackEntries: 1n });
    await service.flush();
    const { counts, calls } = await client.listRefusals({}, { headers });
    expect(counts.find(({ reason }) => reason === "bad_request")?.key).toBe(publicId);
    expect(calls.map(({ call }) => call)).toContain("POST /v1/chat/completions");
    const none = await client.listRefusals({}, { headers: { authorization: `Bearer ${idle}` } });
    expect(none).toMatchObject({ counts: [], calls: [] });
    const [from, to] = [timestampFromDate(new Date(2)), timestampFromDate(new Date(1))];
    const failure = await client
      .getUsage({ from, to }, { headers })
      .catch((thrown: unknown) => ConnectError.from(thrown));
    expect(failure).toMatchObject({ code: Code.InvalidArgument });
    const twice = client.getUsage({ groupBy: [Dimension.KEY, Dimension.KEY] }, { headers });
    await expect(twice).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});
