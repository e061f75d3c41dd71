/** Remarks on settings that have no counterpart, by the ends of their paths; the first that fits is used. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /\.(?:rpm|tpm|max_parallel_requests|weight)$/,
    "deployments have no limits of their own: they are chosen by speed, load and price, and one that answers 429 is " +
      "left alone for as long as it says",
  ],
  [
    /\.(?:(?:max_|max_completion_)tokens|temperature|top_p|seed|stop|(?:presence|frequency)_penalty|n|stream|thinking)$/,
    "requests are not changed: send it with each request",
  ],
  [
    /\.(?:reasoning_effort|response_format|tools|tool_choice|extra_body|dimensions|encoding_format|input_type)$/,
    "requests are not changed: send it with each request",
  ],
  [/\.stream_timeout$/, "one limit counts for streams and whole answers: timeouts.totalMs"],
  [/\.litellm_credential_name$/, "credential_list has no such name"],
  [/^credential_list/, "no model of the file names it"],
  [/^include/, "import each of these files, and put their upstreams and models together"],
  [
    /\.(?:s3_\w+|aws_batch_role_arn)$|^(?:finetune|files|batch)_settings/,
    "files, batches and fine-tuning are out of scope",
  ],
  [/\.pass_through_endpoints$/, "only the three formats and embeddings are served"],
  [
    /\.(?:default_team_settings|default_team_params|default_internal_user_params)$/,
    "projects take the place of teams: see docs/projects-as-code.md",
  ],
  [
    /\.(?:aws_role_name|aws_session_name|aws_web_identity_token|aws_profile_name)$/,
    "roles and profiles: see auth of Amazon Bedrock in docs/providers.md",
  ],
  [/fallbacks$/, "another model never answers on an error: list the same model's other places as its deployments"],
  [
    /\.(?:num_retries|retry_policy|allowed_fails|allowed_fails_policy|cooldown_time|disable_cooldowns)$/,
    "failover and retries need no setting: see docs/failover.md",
  ],
  [
    /\.routing_strategy(?:_args)?$/,
    "deployments are chosen by speed, load, price and their cache: see 'optimizations' in docs/models.md",
  ],
  [
    /\.(?:drop_params|modify_params)$/,
    "what a format cannot carry is left out and named in attune-translation-loss; attune-strict refuses instead",
  ],
  [
    /\.(?:success_callback|failure_callback|callbacks|service_callbacks|langfuse_default_tags)$/,
    "records are in the store; traces and metrics go to what takes OTLP (see docs/telemetry.md), and Prometheus reads " +
      "server.adminPort",
  ],
  [
    /\.(?:cache|cache_params)$/,
    "see optimizations.responseCache in docs/models.md: it answers again only at temperature 0 or with a seed",
  ],
  [/^router_settings\.redis_|\.redis_/, "replicas share the database, and need no Redis"],
  [/\.master_key$/, "make keys with 'attune keys create', or set ATTUNE_BOOTSTRAP_KEY; the dashboard has accounts"],
  [
    /\.(?:database_url|database_connection_pool_limit|database_connection_timeout)$/,
    "give Attune a database of its own: database.url",
  ],
  [
    /\.(?:alerting|alerting_threshold|alert_types|alert_to_webhook_url|alerting_args)$/,
    "rules hold from the start: say where messages go in alerts.destinations, see docs/alerts.md",
  ],
  [
    /\.(?:store_model_in_db|supported_db_objects)$/,
    "models that LiteLLM has in its database are not in this file: GET /model/info of the proxy lists them",
  ],
  [
    /\.(?:enable_jwt_auth|litellm_jwtauth|custom_auth|custom_key_generate|enable_oauth2_auth)$/,
    "callers have keys of Attune (see docs/administration.md); people sign in by OpenID Connect (see docs/sign-in.md)",
  ],
  [
    /\.enable_pre_call_checks$/,
    "needs no setting: a prompt that one deployment finds too long goes to another one that takes more",
  ],
  [/\.(?:max_)?internal_user_budget\w*$/, "budgets are of projects, keys, end users and tags: see quotas"],
  [/\.(?:api_version)$/, "the v1 API of Azure takes no version; the dated one has apiVersion"],
  [/\.(?:azure_\w+|aws_\w+|vertex_\w+)$/, "write auth into the upstream: see docs/providers.md"],
  [/\.(?:set_verbose|json_logs|detailed_debug)$/, "the log is JSON: see 'log' in docs/configuration.md"],
  [/\.tpm_limit$/, "input and output tokens have a limit each: inputTokensPerMinute, outputTokensPerMinute"],
  [/^environment_variables/, "set them where the service is started"],
  [/^(?:guardrails|mcp_servers|vector_store_registry|search_tools|prompts|policies)/, "out of scope"],
];

/** Tells what becomes of a setting that has no counterpart. */
export function getReason(path: string): string {
  return REASONS.find(([pattern]) => pattern.test(path))?.[1] ?? "has no counterpart";
}
