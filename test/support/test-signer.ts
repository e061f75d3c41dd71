import { createSecretKey } from "node:crypto";
import { Signer } from "../../src/lib/signer.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";

/** Secret of an installation whose seals tests make themselves. */
export const TEST_SECRET = Buffer.alloc(32, "test").toString("base64url");
export const TEST_KEY = createSecretKey(Buffer.from(TEST_SECRET, "base64url"));

/** Signs as that installation does for a project. */
export function signerOf(projectId: string): Signer {
  return new Signer(TEST_KEY, projectId);
}

/** Signs as that installation does for callers of test services. */
export const testSigner = signerOf(DEFAULT_PROJECT.id);
