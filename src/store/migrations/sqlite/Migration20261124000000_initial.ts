import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_initial extends Migration {

  override name = 'Migration20261124000000_initial';

  override up(): void | Promise<void> {
    // Those without rowid are read by ranges of their keys: they are kept in that order, without an index beside.
    this.addSql(`create table \`conversation\` (\`id\` text not null primary key, \`project_id\` text not null, \`created_at\` datetime not null, \`updated_at\` datetime not null, \`metadata\` json not null, \`next_position\` integer not null, \`items\` integer not null, \`bytes\` integer not null);`);
    this.addSql(`create index \`conversation_project_id_id_index\` on \`conversation\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`conversation_updated_at_index\` on \`conversation\` (\`updated_at\`);`);

    this.addSql(`create table \`conversation_item\` (\`conversation_id\` text not null, \`position\` integer not null, \`id\` text not null, \`message\` blob not null, primary key (\`conversation_id\`, \`position\`));`);

    this.addSql(`create table \`background_inference\` (\`id\` text not null primary key, \`project_id\` text not null, \`key_id\` text not null, \`model\` text not null, \`streamed\` integer not null, \`started_at\` datetime not null, \`beat_at\` datetime not null, \`previous_id\` text null, \`cancel_requested\` integer not null default false, \`request\` blob not null);`);
    this.addSql(`create table \`idempotent_call\` (\`id\` text not null primary key, \`project_id\` text not null, \`key\` text not null, \`body_hash\` text not null, \`owner\` text not null, \`beat_at\` datetime not null, \`state\` text not null, \`answer\` blob null, \`error_message\` text null, \`error_detail\` blob null);`);
    this.addSql(`create index \`idempotent_call_owner_index\` on \`idempotent_call\` (\`owner\`) where state = 'answering';`);
    this.addSql(`create unique index \`idempotent_call_project_id_key_unique\` on \`idempotent_call\` (\`project_id\`, \`key\`);`);

    this.addSql(`create table \`quota_window\` (\`name\` text not null primary key, \`ends_at\` bigint null, \`leased\` bigint not null);`);
    this.addSql(`create index \`quota_window_ends_at_index\` on \`quota_window\` (\`ends_at\`);`);
    this.addSql(`create table \`quota_lease\` (\`process\` text not null, \`name\` text not null, \`ends_at\` bigint null, \`free\` bigint not null, \`lost\` bigint not null, primary key (\`process\`, \`name\`));`);
    this.addSql(`create index \`quota_lease_name_index\` on \`quota_lease\` (\`name\`);`);
    this.addSql(`create index \`quota_lease_ends_at_index\` on \`quota_lease\` (\`ends_at\`);`);
    this.addSql(`create table \`quota_process\` (\`process\` text not null, \`seen_at\` datetime not null, primary key (\`process\`));`);
    this.addSql(`create table \`managed_item\` (\`project_id\` text not null, \`kind\` text not null, \`name\` text not null, \`since\` datetime not null, primary key (\`project_id\`, \`kind\`, \`name\`));`);
    this.addSql(`create table \`quota\` (\`kind\` text not null, \`project_id\` text not null, \`name\` text not null, \`settings\` json not null, \`updated_at\` datetime not null, primary key (\`kind\`, \`project_id\`, \`name\`));`);
    this.addSql(`create index \`quota_updated_at_index\` on \`quota\` (\`updated_at\`);`);

    this.addSql(`create table \`refusal_hour\` (\`project_id\` text not null, \`period\` integer not null, \`reason\` text not null, \`key_id\` text not null, \`calls\` bigint not null, \`first_ms\` bigint not null, \`last_ms\` bigint not null, primary key (\`project_id\`, \`period\`, \`reason\`, \`key_id\`));`);
    this.addSql(`create table \`refusal_minute\` (\`project_id\` text not null, \`period\` integer not null, \`reason\` text not null, \`key_id\` text not null, \`calls\` bigint not null, \`first_ms\` bigint not null, \`last_ms\` bigint not null, primary key (\`project_id\`, \`period\`, \`reason\`, \`key_id\`));`);

    this.addSql(`create table \`refused_call\` (\`id\` text not null primary key, \`project_id\` text not null, \`reason\` text not null, \`key_id\` text not null, \`at\` datetime not null, \`call\` text not null, \`message\` text not null);`);
    this.addSql(`create index \`refused_call_project_id_reason_id_index\` on \`refused_call\` (\`project_id\`, \`reason\`, \`id\`);`);

    this.addSql(`create table \`shadow_trial\` (\`id\` text not null primary key, \`inference_id\` text not null, \`project_id\` text not null, \`model\` text not null, \`family\` text not null, \`kind\` text not null, \`served_model\` text not null, \`trial_model\` text null, \`served_good\` integer null, \`trial_good\` integer null, \`reward\` double null, \`input_tokens\` integer not null, \`output_tokens\` integer not null, \`cost_nanos\` bigint null, \`started_at\` datetime not null, \`outcome\` text not null);`);
    this.addSql(`create index \`shadow_trial_project_id_id_index\` on \`shadow_trial\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`shadow_trial_inference_id_index\` on \`shadow_trial\` (\`inference_id\`);`);

    this.addSql(`create table \`shadow_pair\` (\`id\` text not null primary key, \`inference_id\` text not null, \`project_id\` text not null, \`model\` text not null, \`answer\` blob not null);`);
    this.addSql(`create index \`shadow_pair_project_id_model_id_index\` on \`shadow_pair\` (\`project_id\`, \`model\`, \`id\`);`);
    this.addSql(`create index \`shadow_pair_inference_id_index\` on \`shadow_pair\` (\`inference_id\`);`);

    this.addSql(`create table \`shadow_day\` (\`day\` integer not null, \`budget\` text not null, \`spent_nanos\` bigint not null, primary key (\`day\`, \`budget\`));`);

    this.addSql(`create table \`end_user_deletion\` (\`id\` text not null primary key, \`project_id\` text not null, \`end_user_id\` text not null, \`actor_kind\` text not null, \`actor_id\` text not null, \`actor_label\` text not null, \`via\` text not null, \`requested_at\` datetime not null, \`state\` text not null, \`beat_at\` datetime not null, \`inferences\` integer not null, \`feedback\` integer not null, \`conversations\` integer not null);`);
    this.addSql(`create index \`end_user_deletion_project_id_id_index\` on \`end_user_deletion\` (\`project_id\`, \`id\`);`);

    this.addSql(`create table \`project_deletion\` (\`project_id\` text not null primary key, \`name\` text not null, \`actor_kind\` text not null, \`actor_id\` text not null, \`actor_label\` text not null, \`via\` text not null, \`requested_at\` datetime not null, \`due_at\` datetime not null, \`state\` text not null, \`beat_at\` datetime not null, \`ended_at\` datetime null, \`inferences\` bigint not null, \`feedback\` bigint not null, \`conversations\` bigint not null);`);
    this.addSql(`create index \`project_deletion_state_index\` on \`project_deletion\` (\`state\`);`);

    this.addSql(`create table \`alert_lease\` (\`id\` integer not null primary key, \`process\` text not null, \`ends_at\` datetime not null, \`audit_sequence\` bigint not null);`);
    this.addSql(`create table \`alert_rule\` (\`project_id\` text not null, \`name\` text not null, \`kind\` text not null, \`threshold\` double not null, \`window_minutes\` integer not null, \`min_calls\` integer not null, \`is_enabled\` integer not null, \`updated_at\` datetime not null, primary key (\`project_id\`, \`name\`));`);
    this.addSql(`create table \`alert_destination\` (\`id\` text not null primary key, \`project_id\` text not null, \`name\` text not null, \`kind\` text not null, \`target\` text not null, \`created_at\` datetime not null);`);
    this.addSql(`create index \`alert_destination_project_id_index\` on \`alert_destination\` (\`project_id\`);`);
    this.addSql(`create table \`alert\` (\`id\` text not null primary key, \`project_id\` text not null, \`rule\` text not null, \`kind\` text not null, \`subject\` text not null, \`summary\` text not null, \`value\` double not null, \`threshold\` double not null, \`opened_at\` datetime not null, \`seen_at\` datetime not null, \`closed_at\` datetime null, \`open_key\` text null, \`is_untold\` integer not null);`);
    this.addSql(`create index \`alert_project_id_id_index\` on \`alert\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`alert_closed_at_index\` on \`alert\` (\`closed_at\`);`);
    this.addSql(`create unique index \`alert_open_key_unique\` on \`alert\` (\`open_key\`);`);
    this.addSql(`create table \`alert_signal\` (\`process\` text not null, \`name\` text not null, \`kind\` text not null, \`subject\` text not null, \`project_id\` text not null, \`value\` double not null, \`expires_at\` datetime not null, primary key (\`process\`, \`name\`));`);
    this.addSql(`create index \`alert_signal_expires_at_index\` on \`alert_signal\` (\`expires_at\`);`);
    this.addSql(`create table \`alert_delivery\` (\`id\` text not null primary key, \`project_id\` text not null, \`destination\` text not null, \`type\` text not null, \`body\` text not null, \`state\` text not null, \`attempts\` integer not null, \`next_at\` datetime not null, \`status\` integer null, \`problem\` text null, \`created_at\` datetime not null, \`ended_at\` datetime null);`);
    this.addSql(`create index \`alert_delivery_state_next_at_index\` on \`alert_delivery\` (\`state\`, \`next_at\`);`);
    this.addSql(`create index \`alert_delivery_project_id_id_index\` on \`alert_delivery\` (\`project_id\`, \`id\`);`);

    this.addSql(`create table \`audit_chain\` (\`id\` integer not null primary key, \`sequence\` bigint not null, \`hash\` text not null, \`anchor_sequence\` bigint not null, \`anchor_hash\` text not null);`);

    this.addSql(`create table \`audit_entry\` (\`sequence\` bigint not null primary key, \`at\` datetime not null, \`actor_kind\` text not null, \`actor_id\` text not null, \`actor_label\` text not null, \`via\` text not null, \`address\` text null, \`request_id\` text null, \`project_id\` text null, \`action\` text not null, \`target_kind\` text not null, \`target_id\` text not null, \`target_name\` text not null, \`before\` text null, \`after\` text null, \`hash\` text not null);`);
    this.addSql(`create index \`audit_entry_project_id_sequence_index\` on \`audit_entry\` (\`project_id\`, \`sequence\`);`);

    this.addSql(`create table \`deployment_audit\` (\`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`updated_at\` datetime not null, \`standing\` text not null, \`state\` text not null, primary key (\`model\`, \`upstream\`, \`upstream_model\`));`);

    this.addSql(`create table \`feedback_day\` (\`project_id\` text not null, \`period\` integer not null, \`model\` text not null, \`served_model\` text not null, \`workload\` text not null, \`name\` text not null, \`kind\` text not null, \`call_key_id\` text not null, \`entries\` bigint not null, \`sum\` double not null, \`sum_of_squares\` double not null, \`true_entries\` bigint not null, \`maximised\` bigint not null, \`minimised\` bigint not null, \`least_value\` double null, \`greatest_value\` double null, primary key (\`project_id\`, \`period\`, \`model\`, \`served_model\`, \`workload\`, \`name\`, \`kind\`, \`call_key_id\`)) without rowid;`);

    this.addSql(`create table \`feedback_entry\` (\`id\` text not null primary key, \`inference_id\` text not null, \`attempt\` integer null, \`project_id\` text not null, \`key_id\` text not null, \`name\` text not null, \`kind\` text not null, \`boolean_value\` integer null, \`float_value\` double null, \`text_value\` text null, \`tags\` json not null, \`optimize\` text null, \`created_at\` datetime not null, \`model\` text not null default '', \`served_model\` text not null default '', \`workload\` text not null default '', \`session_id\` text null);`);
    this.addSql(`create index \`feedback_entry_inference_id_id_index\` on \`feedback_entry\` (\`inference_id\`, \`id\`);`);
    this.addSql(`create index \`feedback_entry_project_id_id_index\` on \`feedback_entry\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`feedback_entry_project_id_session_id_id_index\` on \`feedback_entry\` (\`project_id\`, \`session_id\`, \`id\`) where session_id is not null;`);
    this.addSql(`create index \`feedback_entry_metric_index\` on \`feedback_entry\` (\`project_id\`, \`name\`, \`inference_id\`, \`float_value\`, \`boolean_value\`, \`attempt\`);`);

    this.addSql(`create table \`feedback_fact_day\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`entries\` bigint not null, \`booleans\` bigint not null, \`true_entries\` bigint not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`feedback_fact_four_weeks\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`entries\` bigint not null, \`booleans\` bigint not null, \`true_entries\` bigint not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`feedback_fact_week\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`entries\` bigint not null, \`booleans\` bigint not null, \`true_entries\` bigint not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`feedback_hour\` (\`project_id\` text not null, \`period\` integer not null, \`model\` text not null, \`served_model\` text not null, \`workload\` text not null, \`name\` text not null, \`kind\` text not null, \`call_key_id\` text not null, \`entries\` bigint not null, \`sum\` double not null, \`sum_of_squares\` double not null, \`true_entries\` bigint not null, \`maximised\` bigint not null, \`minimised\` bigint not null, primary key (\`project_id\`, \`period\`, \`model\`, \`served_model\`, \`workload\`, \`name\`, \`kind\`, \`call_key_id\`)) without rowid;`);

    this.addSql(`create table \`feedback_tag\` (\`project_id\` text not null, \`key\` text not null, \`value\` text not null, \`inference_id\` text not null, \`feedback_id\` text not null, primary key (\`project_id\`, \`key\`, \`value\`, \`inference_id\`, \`feedback_id\`)) without rowid;`);
    this.addSql(`create index \`feedback_tag_feedback_id_index\` on \`feedback_tag\` (\`feedback_id\`);`);

    this.addSql(`create table \`inference\` (\`id\` text not null primary key, \`project_id\` text not null, \`key_id\` text not null, \`dialect\` text not null, \`streamed\` integer not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`upstream_request_id\` text not null, \`workload\` text not null, \`served_model\` text not null default '', \`family\` text not null default '', \`decision\` json null, \`status\` text not null, \`started_at\` datetime not null, \`latency_ms\` double not null, \`time_to_first_token_ms\` double null, \`input_tokens\` integer null, \`cache_read_tokens\` integer null, \`cache_write_tokens\` integer null, \`cache_write_5m_tokens\` integer null, \`cache_write_1h_tokens\` integer null, \`output_tokens\` integer null, \`reasoning_tokens\` integer null, \`usage_estimated\` integer not null default false, \`cost_nanos\` bigint null, \`base_cost_nanos\` bigint null, \`saved\` json null, \`cache_saved_nanos\` bigint null, \`finish_reason\` text null, \`raw_finish_reason\` text null, \`error_reason\` text null, \`error_message\` text null, \`error_upstream_status\` integer null, \`error_upstream_code\` text null, \`deviation\` text not null, \`optimizations\` json not null, \`translation_losses\` json not null, \`previous_id\` text null, \`stored\` integer not null default false, \`coalescing_key\` text null, \`session_id\` text null, \`session_source\` text null, \`parent_session_id\` text null, \`end_user_id\` text null, \`tags\` json null, \`request_id\` text null, \`deleted_at\` datetime null);`);
    this.addSql(`create index \`inference_project_id_id_index\` on \`inference\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`inference_coalescing_key_id_index\` on \`inference\` (\`coalescing_key\`, \`id\`) where coalescing_key is not null;`);
    this.addSql(`create index \`inference_project_id_session_id_id_index\` on \`inference\` (\`project_id\`, \`session_id\`, \`id\`) where session_id is not null;`);
    this.addSql(`create index \`inference_project_id_parent_session_id_id_index\` on \`inference\` (\`project_id\`, \`parent_session_id\`, \`id\`) where parent_session_id is not null;`);
    this.addSql(`create index \`inference_project_id_request_id_id_index\` on \`inference\` (\`project_id\`, \`request_id\`, \`id\`) where request_id is not null;`);
    this.addSql(`create index \`inference_project_id_end_user_id_id_index\` on \`inference\` (\`project_id\`, \`end_user_id\`, \`id\`) where end_user_id is not null;`);

    this.addSql(`create table \`inference_attempt\` (\`id\` text not null, \`position\` integer not null, \`role\` text not null, \`outcome\` text not null, \`is_winner\` integer not null, \`upstream\` text not null, \`upstream_model\` text not null, \`upstream_request_id\` text not null, \`propensity\` double not null, \`started_after_ms\` double not null, \`first_event_ms\` double null, \`latency_ms\` double not null, \`input_tokens\` integer null, \`cache_read_tokens\` integer null, \`cache_write_tokens\` integer null, \`cache_write_5m_tokens\` integer null, \`cache_write_1h_tokens\` integer null, \`output_tokens\` integer null, \`reasoning_tokens\` integer null, \`usage_estimated\` integer not null, \`cost_nanos\` bigint null, \`losses\` json not null, \`failed_checks\` json null, \`score\` double null, \`candidate_reason\` text null, \`ranking\` json null, \`error_reason\` text null, \`error_message\` text null, \`error_upstream_status\` integer null, \`error_upstream_code\` text null, primary key (\`id\`, \`position\`)) without rowid;`);

    this.addSql(`create table \`inference_tag\` (\`id\` text not null, \`name\` text not null, \`value\` text not null, \`project_id\` text not null, primary key (\`id\`, \`name\`)) without rowid;`);
    this.addSql(`create index \`inference_tag_project_id_name_value_id_index\` on \`inference_tag\` (\`project_id\`, \`name\`, \`value\`, \`id\`);`);

    this.addSql(`create table \`inference_body\` (\`id\` text not null primary key, \`project_id\` text not null, \`prompt\` text not null default '', \`answer\` text not null default '', \`request\` blob not null, \`response\` blob not null);`);
    this.addSql(`create index \`inference_body_first_words_index\` on \`inference_body\` (\`project_id\`, \`id\`, \`prompt\`, \`answer\`);`);

    this.addSql(`create table \`workload_state\` (\`project_id\` text not null, \`model\` text not null, \`version\` integer not null, \`updated_at\` datetime not null, \`rewards\` double not null, \`snapshot\` text null, primary key (\`project_id\`, \`model\`));`);

    this.addSql(`create table \`learning_batch\` (\`id\` text not null primary key, \`due_at\` datetime not null, \`size\` integer not null, \`events\` text not null);`);

    this.addSql(`create table \`learning_mark\` (\`id\` integer not null primary key, \`generation\` integer not null, \`paused_until\` datetime null);`);

    this.addSql(`create table \`project\` (\`id\` text not null primary key, \`name\` text not null, \`created_at\` datetime not null, \`deleted_at\` datetime null);`);
    this.addSql(`create unique index \`project_name_unique\` on \`project\` (\`name\`);`);

    this.addSql(`create table \`invitation\` (\`id\` text not null primary key, \`project_id\` text not null, \`email\` text not null, \`role\` text not null, \`token_hash\` text not null, \`created_at\` datetime not null, \`expires_at\` datetime not null, constraint \`invitation_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`invitation_project_id_index\` on \`invitation\` (\`project_id\`);`);
    this.addSql(`create unique index \`invitation_token_hash_unique\` on \`invitation\` (\`token_hash\`);`);
    this.addSql(`create unique index \`invitation_project_id_email_unique\` on \`invitation\` (\`project_id\`, \`email\`);`);

    this.addSql(`create table \`api_key\` (\`id\` text not null primary key, \`project_id\` text not null, \`public_id\` text not null, \`hash\` text not null, \`previous_hash\` text null, \`previous_expires_at\` datetime null, \`name\` text not null, \`permissions\` json null, \`tags\` json null, \`created_by\` text null, \`created_at\` datetime not null, \`expires_at\` datetime null, \`revoked_at\` datetime null, \`last_used_at\` datetime null, constraint \`api_key_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`));`);
    this.addSql(`create index \`api_key_project_id_index\` on \`api_key\` (\`project_id\`);`);
    this.addSql(`create unique index \`api_key_public_id_unique\` on \`api_key\` (\`public_id\`);`);
    this.addSql(`create unique index \`api_key_hash_unique\` on \`api_key\` (\`hash\`);`);
    this.addSql(`create unique index \`api_key_previous_hash_unique\` on \`api_key\` (\`previous_hash\`);`);
    this.addSql(`create table \`admin_key\` (\`id\` text not null primary key, \`project_id\` text null, \`public_id\` text not null, \`hash\` text not null, \`name\` text not null, \`scopes\` json not null, \`created_at\` datetime not null, \`expires_at\` datetime null, \`revoked_at\` datetime null, \`last_used_at\` datetime null, constraint \`admin_key_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`admin_key_project_id_index\` on \`admin_key\` (\`project_id\`);`);
    this.addSql(`create unique index \`admin_key_public_id_unique\` on \`admin_key\` (\`public_id\`);`);
    this.addSql(`create unique index \`admin_key_hash_unique\` on \`admin_key\` (\`hash\`);`);

    this.addSql(`create table \`saved_view\` (\`id\` text not null primary key, \`project_id\` text not null, \`name\` text not null, \`search\` text not null, \`created_by\` text not null, \`created_at\` datetime not null, constraint \`saved_view_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`saved_view_project_id_index\` on \`saved_view\` (\`project_id\`);`);
    this.addSql(`create unique index \`saved_view_project_id_name_unique\` on \`saved_view\` (\`project_id\`, \`name\`);`);

    this.addSql(`create table \`dataset\` (\`id\` text not null primary key, \`project_id\` text not null, \`name\` text not null, \`created_by\` text not null, \`created_at\` datetime not null, constraint \`dataset_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`dataset_project_id_index\` on \`dataset\` (\`project_id\`);`);
    this.addSql(`create unique index \`dataset_project_id_name_unique\` on \`dataset\` (\`project_id\`, \`name\`);`);

    this.addSql(`create table \`dataset_row\` (\`dataset_id\` text not null, \`inference_id\` text not null, primary key (\`dataset_id\`, \`inference_id\`), constraint \`dataset_row_dataset_id_foreign\` foreign key (\`dataset_id\`) references \`dataset\` (\`id\`) on delete cascade) without rowid;`);
    this.addSql(`create index \`dataset_row_dataset_id_index\` on \`dataset_row\` (\`dataset_id\`);`);

    this.addSql(`create table \`dataset_run\` (\`id\` text not null primary key, \`dataset_id\` text not null, \`project_id\` text not null, \`first_model\` text not null, \`second_model\` text not null, \`requests\` integer not null, \`estimated_nanos\` bigint null, \`state\` text not null, \`cancel_requested\` integer not null, \`created_by\` text not null, \`created_at\` datetime not null, \`beat_at\` datetime not null, \`ended_at\` datetime null, constraint \`dataset_run_dataset_id_foreign\` foreign key (\`dataset_id\`) references \`dataset\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`dataset_run_dataset_id_index\` on \`dataset_run\` (\`dataset_id\`);`);
    this.addSql(`create index \`dataset_run_dataset_id_id_index\` on \`dataset_run\` (\`dataset_id\`, \`id\`);`);

    this.addSql(`create table \`dataset_answer\` (\`id\` text not null primary key, \`run_id\` text not null, \`inference_id\` text not null, \`side\` integer not null, \`outcome\` text not null, \`problem\` text null, \`input_tokens\` integer not null, \`output_tokens\` integer not null, \`cost_nanos\` bigint null, \`grade_nanos\` bigint null, \`latency_ms\` double null, \`failed_checks\` text null, \`is_good\` integer null, constraint \`dataset_answer_run_id_foreign\` foreign key (\`run_id\`) references \`dataset_run\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`dataset_answer_run_id_index\` on \`dataset_answer\` (\`run_id\`);`);
    this.addSql(`create index \`dataset_answer_run_id_inference_id_index\` on \`dataset_answer\` (\`run_id\`, \`inference_id\`);`);
    this.addSql(`create index \`dataset_answer_inference_id_index\` on \`dataset_answer\` (\`inference_id\`);`);

    this.addSql(`create table \`dataset_answer_text\` (\`id\` text not null primary key, \`inference_id\` text not null, \`text\` text not null, constraint \`dataset_answer_text_id_foreign\` foreign key (\`id\`) references \`dataset_answer\` (\`id\`) on update cascade on delete cascade);`);
    this.addSql(`create index \`dataset_answer_text_id_index\` on \`dataset_answer_text\` (\`id\`);`);
    this.addSql(`create index \`dataset_answer_text_inference_id_index\` on \`dataset_answer_text\` (\`inference_id\`);`);

    this.addSql(`create table \`project_settings\` (\`project_id\` text not null primary key, \`bodies\` text not null, \`optimizations_off\` json null, \`aliases\` json null, \`updated_at\` datetime not null, constraint \`project_settings_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on update cascade on delete cascade);`);
    this.addSql(`create index \`project_settings_project_id_index\` on \`project_settings\` (\`project_id\`);`);

    this.addSql(`create table \`retention_mark\` (\`kind\` text not null primary key, \`retention_days\` integer not null, \`deleted_before\` datetime not null, \`confirmed_before\` datetime null, \`ran_at\` datetime not null);`);

    this.addSql(`create table \`rollup_name\` (\`project_id\` text not null, \`kind\` text not null, \`name\` text not null, primary key (\`project_id\`, \`kind\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`setup_link\` (\`id\` integer not null primary key, \`token_hash\` text not null, \`expires_at\` datetime not null);`);

    this.addSql(`create table \`sign_in_attempt\` (\`id\` text not null primary key, \`attempts\` integer not null, \`expires_at\` datetime not null);`);
    this.addSql(`create index \`sign_in_attempt_expires_at_index\` on \`sign_in_attempt\` (\`expires_at\`);`);

    this.addSql(`create table \`usage_day\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`served_model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`cache_saved_nanos\` bigint not null default '0', \`saved_cache_marks_nanos\` bigint not null default '0', \`saved_coalescing_nanos\` bigint not null default '0', \`saved_response_cache_nanos\` bigint not null default '0', \`saved_choice_nanos\` bigint not null default '0', \`saved_routing_nanos\` bigint not null default '0', \`saved_failover_nanos\` bigint not null default '0', \`saved_hedging_nanos\` bigint not null default '0', \`saved_retry_nanos\` bigint not null default '0', \`saved_candidates_nanos\` bigint not null default '0', \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`served_model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);

    this.addSql(`create table \`usage_hour\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`served_model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`cache_saved_nanos\` bigint not null default '0', \`saved_cache_marks_nanos\` bigint not null default '0', \`saved_coalescing_nanos\` bigint not null default '0', \`saved_response_cache_nanos\` bigint not null default '0', \`saved_choice_nanos\` bigint not null default '0', \`saved_routing_nanos\` bigint not null default '0', \`saved_failover_nanos\` bigint not null default '0', \`saved_hedging_nanos\` bigint not null default '0', \`saved_retry_nanos\` bigint not null default '0', \`saved_candidates_nanos\` bigint not null default '0', \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`served_model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);
    this.addSql(`create table \`usage_fact_day\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`status\` text not null, \`calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`latencies\` text not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`, \`status\`)) without rowid;`);

    this.addSql(`create table \`usage_fact_four_weeks\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`failed_calls\` bigint not null, \`calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`latencies\` text not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`usage_fact_week\` (\`project_id\` text not null, \`period\` integer not null, \`kind\` text not null, \`key_id\` text not null, \`name\` text not null, \`failed_calls\` bigint not null, \`calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`latencies\` text not null, primary key (\`project_id\`, \`period\`, \`kind\`, \`key_id\`, \`name\`)) without rowid;`);

    this.addSql(`create table \`usage_week\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`served_model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`estimated_calls\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`cache_saved_nanos\` bigint not null default '0', \`saved_cache_marks_nanos\` bigint not null default '0', \`saved_coalescing_nanos\` bigint not null default '0', \`saved_response_cache_nanos\` bigint not null default '0', \`saved_choice_nanos\` bigint not null default '0', \`saved_routing_nanos\` bigint not null default '0', \`saved_failover_nanos\` bigint not null default '0', \`saved_hedging_nanos\` bigint not null default '0', \`saved_retry_nanos\` bigint not null default '0', \`saved_candidates_nanos\` bigint not null default '0', \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`served_model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);

    this.addSql(`create table \`user_account\` (\`id\` text not null primary key, \`email\` text not null, \`password_hash\` text null, \`is_first_owner\` integer null, \`created_at\` datetime not null);`);
    this.addSql(`create table \`user_identity\` (\`issuer\` text not null, \`subject\` text not null, \`user_id\` text not null, \`created_at\` datetime not null, primary key (\`issuer\`, \`subject\`), constraint \`user_identity_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`user_identity_user_id_index\` on \`user_identity\` (\`user_id\`);`);
    this.addSql(`create unique index \`user_account_email_unique\` on \`user_account\` (\`email\`);`);

    this.addSql(`create table \`password_reset\` (\`user_id\` text not null primary key, \`token_hash\` text not null, \`made_by\` text null, \`expires_at\` datetime not null, constraint \`password_reset_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on update cascade on delete cascade, constraint \`password_reset_made_by_foreign\` foreign key (\`made_by\`) references \`user_account\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`password_reset_user_id_index\` on \`password_reset\` (\`user_id\`);`);
    this.addSql(`create unique index \`password_reset_token_hash_unique\` on \`password_reset\` (\`token_hash\`);`);
    this.addSql(`create index \`password_reset_made_by_index\` on \`password_reset\` (\`made_by\`);`);

    this.addSql(`create table \`membership\` (\`user_id\` text not null, \`project_id\` text not null, \`role\` text not null, \`granted_by\` text null, \`created_at\` datetime not null, primary key (\`user_id\`, \`project_id\`), constraint \`membership_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on update cascade on delete cascade, constraint \`membership_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on update cascade on delete cascade);`);
    this.addSql(`create index \`membership_user_id_index\` on \`membership\` (\`user_id\`);`);
    this.addSql(`create index \`membership_project_id_index\` on \`membership\` (\`project_id\`);`);

    this.addSql(`create table \`dashboard_session\` (\`id\` text not null primary key, \`user_id\` text not null, \`token_hash\` text not null, \`created_at\` datetime not null, \`last_seen_at\` datetime not null, \`address\` text not null, \`user_agent\` text not null, \`issuer\` text null, \`subject\` text null, \`provider_session\` text null, \`refresh_token\` text null, \`checked_at\` datetime null, \`refreshing_until\` datetime null, constraint \`dashboard_session_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`dashboard_session_token_hash_unique\` on \`dashboard_session\` (\`token_hash\`);`);
    this.addSql(`create index \`dashboard_session_user_id_index\` on \`dashboard_session\` (\`user_id\`);`);
    this.addSql(`create index \`dashboard_session_issuer_subject_index\` on \`dashboard_session\` (\`issuer\`, \`subject\`);`);

    this.addSql(`create table \`workload_control\` (\`project_id\` text not null, \`model\` text not null, \`mode\` text null, \`hold\` text null, \`pinned\` text null, \`excluded\` json null, \`objective\` text null, \`reward_per_price\` double null, \`feedback\` text null, \`metrics\` json null, \`unit\` text null, \`shadow_share\` double null, \`shadow_judge\` text null, \`shadow_usd_per_day\` double null, \`shadow_rubric\` text null, \`updated_at\` datetime not null, primary key (\`project_id\`, \`model\`));`);

    this.addSql(`create table \`workload_event\` (\`id\` text not null primary key, \`project_id\` text not null, \`model\` text not null, \`at\` datetime not null, \`kind\` text not null, \`detail\` json not null);`);
    this.addSql(`create index \`workload_event_project_id_model_id_index\` on \`workload_event\` (\`project_id\`, \`model\`, \`id\`);`);

    this.addSql(`create table \`workload_point\` (\`project_id\` text not null, \`model\` text not null, \`step_minutes\` integer not null, \`slot\` integer not null, \`figures\` text not null, primary key (\`project_id\`, \`model\`, \`step_minutes\`, \`slot\`));`);
  }

  override down(): void | Promise<void> {
    // Tables that refer to others go before those.
    this.addSql(`drop table if exists \`conversation\`;`);
    this.addSql(`drop table if exists \`conversation_item\`;`);
    this.addSql(`drop table if exists \`workload_point\`;`);
    this.addSql(`drop table if exists \`workload_event\`;`);
    this.addSql(`drop table if exists \`workload_control\`;`);
    this.addSql(`drop table if exists \`dashboard_session\`;`);
    this.addSql(`drop table if exists \`membership\`;`);
    this.addSql(`drop table if exists \`password_reset\`;`);
    this.addSql(`drop table if exists \`user_account\`;`);
    this.addSql(`drop table if exists \`user_identity\`;`);
    this.addSql(`drop table if exists \`usage_week\`;`);
    this.addSql(`drop table if exists \`usage_hour\`;`);
    this.addSql(`drop table if exists \`usage_fact_week\`;`);
    this.addSql(`drop table if exists \`usage_fact_four_weeks\`;`);
    this.addSql(`drop table if exists \`usage_fact_day\`;`);
    this.addSql(`drop table if exists \`usage_day\`;`);
    this.addSql(`drop table if exists \`sign_in_attempt\`;`);
    this.addSql(`drop table if exists \`setup_link\`;`);
    this.addSql(`drop table if exists \`rollup_name\`;`);
    this.addSql(`drop table if exists \`retention_mark\`;`);
    this.addSql(`drop table if exists \`saved_view\`;`);
    this.addSql(`drop table if exists \`dataset_answer_text\`;`);
    this.addSql(`drop table if exists \`dataset_answer\`;`);
    this.addSql(`drop table if exists \`dataset_run\`;`);
    this.addSql(`drop table if exists \`dataset_row\`;`);
    this.addSql(`drop table if exists \`dataset\`;`);
    this.addSql(`drop table if exists \`project_settings\`;`);
    this.addSql(`drop table if exists \`admin_key\`;`);
    this.addSql(`drop table if exists \`api_key\`;`);
    this.addSql(`drop table if exists \`invitation\`;`);
    this.addSql(`drop table if exists \`project\`;`);
    this.addSql(`drop table if exists \`learning_mark\`;`);
    this.addSql(`drop table if exists \`learning_batch\`;`);
    this.addSql(`drop table if exists \`workload_state\`;`);
    this.addSql(`drop table if exists \`inference_body\`;`);
    this.addSql(`drop table if exists \`inference_tag\`;`);
    this.addSql(`drop table if exists \`inference_attempt\`;`);
    this.addSql(`drop table if exists \`inference\`;`);
    this.addSql(`drop table if exists \`feedback_tag\`;`);
    this.addSql(`drop table if exists \`feedback_hour\`;`);
    this.addSql(`drop table if exists \`feedback_fact_week\`;`);
    this.addSql(`drop table if exists \`feedback_fact_four_weeks\`;`);
    this.addSql(`drop table if exists \`feedback_fact_day\`;`);
    this.addSql(`drop table if exists \`feedback_entry\`;`);
    this.addSql(`drop table if exists \`feedback_day\`;`);
    this.addSql(`drop table if exists \`refused_call\`;`);
    this.addSql(`drop table if exists \`quota_window\`;`);
    this.addSql(`drop table if exists \`quota_lease\`;`);
    this.addSql(`drop table if exists \`quota_process\`;`);
    this.addSql(`drop table if exists \`quota\`;`);
    this.addSql(`drop table if exists \`managed_item\`;`);
    this.addSql(`drop table if exists \`refusal_hour\`;`);
    this.addSql(`drop table if exists \`refusal_minute\`;`);
    this.addSql(`drop table if exists \`deployment_audit\`;`);
    this.addSql(`drop table if exists \`shadow_trial\`;`);
    this.addSql(`drop table if exists \`shadow_pair\`;`);
    this.addSql(`drop table if exists \`shadow_day\`;`);
    this.addSql(`drop table if exists \`end_user_deletion\`;`);
    this.addSql(`drop table if exists \`project_deletion\`;`);
    this.addSql(`drop table if exists \`alert_lease\`;`);
    this.addSql(`drop table if exists \`alert_rule\`;`);
    this.addSql(`drop table if exists \`alert_destination\`;`);
    this.addSql(`drop table if exists \`alert\`;`);
    this.addSql(`drop table if exists \`alert_signal\`;`);
    this.addSql(`drop table if exists \`alert_delivery\`;`);
    this.addSql(`drop table if exists \`audit_chain\`;`);
    this.addSql(`drop table if exists \`audit_entry\`;`);
    this.addSql(`drop table if exists \`background_inference\`;`);
    this.addSql(`drop table if exists \`idempotent_call\`;`);
  }

}
