import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

describe("feedback over RPC in JSON", () => {
  it("tells of each event that failed, with its details", async () => {
    const feedback = [{ name: "good", boolean: true }];
    const response = await fetch(`${service.url}/attune.feedback.v1.FeedbackService/CreateFeedback`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ events: [{ inferenceId: newId(), feedback }] }),
    });
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: { error?: { message: string; details: object[] } }[] };
    expect(results).toHaveLength(1);
    expect(results[0]?.error?.message).toContain("does not exist");
    expect(results[0]?.error?.details).toContainEqual(
      expect.objectContaining({ "@type": "type.googleapis.com/attune.error.v1.ErrorDetail" }),
    );
  });
});
