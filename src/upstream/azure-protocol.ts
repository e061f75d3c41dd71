import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";

/**
 * Returns a format as the dated API of Azure OpenAI has it: with its version in the query, chat and embeddings at the
 * path of their deployment (AzureOpenAI in the official SDK). Counting and compaction are parts of the v1 API alone.
 */
export function withApiVersion(protocol: UpstreamProtocol, apiVersion: string): UpstreamProtocol {
  const { count: _count, compaction: _compaction, embeddings, ...rest } = protocol;
  const query = `?api-version=${encodeURIComponent(apiVersion)}`;
  const ofDeployment = (path: string) => (model: string) => `/deployments/${encodeURIComponent(model)}${path}${query}`;
  const dated: UpstreamProtocol = {
    ...rest,
    path: protocol.path + query,
    ...(embeddings && { embeddings: { ...embeddings, modelPath: ofDeployment(embeddings.path) } }),
  };
  return protocol.dialect === Dialect.CHAT ? { ...dated, modelPath: ofDeployment(protocol.path) } : dated;
}
