/** The ways to say who calls an upstream. */
export type AuthConfig = HeaderAuthConfig | AwsAuthConfig | AzureAuthConfig | GoogleAuthConfig;

/** The key in a header that is not the format's. */
interface HeaderAuthConfig {
  readonly type: "header";
  readonly name: string;
}

/**
 * Signature Version 4. What is absent is taken from the environment, or else asked of the metadata of the container or
 * the instance; the region may stand in baseUrl.
 */
export interface AwsAuthConfig {
  readonly type: "aws";
  readonly region?: string | undefined;
  readonly service?: string | undefined;
  readonly accessKeyId?: string | undefined;
  /** A secret. */
  readonly secretAccessKey?: string | undefined;
  /** A secret. */
  readonly sessionToken?: string | undefined;
  readonly roleArn?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/**
 * Tokens of Entra ID. What is absent is taken from the environment; without secret and file, a managed identity is
 * asked.
 */
export interface AzureAuthConfig {
  readonly type: "azure";
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  /** A secret. */
  readonly clientSecret?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly scope?: string | undefined;
}

/** Tokens of Google. Without a file of credentials, the metadata server is asked. */
export interface GoogleAuthConfig {
  readonly type: "google";
  readonly credentialsFile?: string | undefined;
}
