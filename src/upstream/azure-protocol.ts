import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";

/**
 * Returns a format as the dated API of Azure OpenAI has it: with its version in the query, and chat at the path of its
 * deployment (AzureOpenAI in the official SDK). Counting and compaction are parts of the v1 API alone.
 */
export function withApiVersion(protocol: UpstreamProtocol, apiVersion: string): UpstreamProtocol {
  const { count: _count, compaction: _compaction, ...rest } = protocol;
  const query = `?api-version=${encodeURIComponent(apiVersion)}`;
  const dated: UpstreamProtocol = { ...rest, path: protocol.path + query };
  if (protocol.dialect !== Dialect.CHAT) return dated;
  return { ...dated, modelPath: (model) => `/deployments/${encodeURIComponent(model)}${protocol.path}${query}` };
}
