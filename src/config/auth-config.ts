import type { z } from "zod";
import type { auth } from "./auth-schema.ts";
import type { Frozen } from "./frozen.ts";

/** The ways to say who calls an upstream. */
export type AuthConfig = Frozen<z.output<typeof auth>>;

/**
 * Signature Version 4. What is absent is taken from the environment, or else asked of the metadata of the container or
 * the instance; the region may stand in baseUrl.
 */
export type AwsAuthConfig = Extract<AuthConfig, { readonly type: "aws" }>;

/**
 * Tokens of Entra ID. What is absent is taken from the environment; without secret and file, a managed identity is
 * asked.
 */
export type AzureAuthConfig = Extract<AuthConfig, { readonly type: "azure" }>;

/** Tokens of Google. Without a file of credentials, the metadata server is asked. */
export type GoogleAuthConfig = Extract<AuthConfig, { readonly type: "google" }>;
