import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";

const FORMAT: Record<Dialect, string> = {
  [Dialect.UNSPECIFIED]: "rpc",
  [Dialect.CHAT]: "chat",
  [Dialect.RESPONSES]: "responses",
  [Dialect.MESSAGES]: "messages",
  [Dialect.EMBEDDINGS]: "embeddings",
};

/** Returns the name of the format that a request came in. */
export function formatName(dialect: Dialect): string {
  return FORMAT[dialect] ?? "rpc";
}
