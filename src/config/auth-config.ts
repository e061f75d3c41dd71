/** The ways to say who calls an upstream. */
export type AuthConfig = HeaderAuthConfig | AzureAuthConfig;

/** The key in a header that is not the format's. */
interface HeaderAuthConfig {
  readonly type: "header";
  readonly name: string;
}

/** Tokens of Entra ID. What is absent is taken from the environment; without secret and file, a managed identity is asked. */
export interface AzureAuthConfig {
  readonly type: "azure";
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  /** A secret. */
  readonly clientSecret?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly scope?: string | undefined;
}
