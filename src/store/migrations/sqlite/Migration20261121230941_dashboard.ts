import { Migration } from '@mikro-orm/migrations';

export class Migration20261121230941_dashboard extends Migration {

  override name = 'Migration20261121230941_dashboard';

  override up(): void | Promise<void> {
    this.addSql(`create table \`invitation\` (\`id\` text not null primary key, \`project_id\` text not null, \`email\` text not null, \`role\` text not null, \`token_hash\` text not null, \`created_at\` datetime not null, \`expires_at\` datetime not null, constraint \`invitation_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`invitation_project_id_index\` on \`invitation\` (\`project_id\`);`);
    this.addSql(`create unique index \`invitation_token_hash_unique\` on \`invitation\` (\`token_hash\`);`);
    this.addSql(`create unique index \`invitation_project_id_email_unique\` on \`invitation\` (\`project_id\`, \`email\`);`);

    this.addSql(`create table \`project_settings\` (\`project_id\` text not null primary key, \`bodies\` text not null, \`updated_at\` datetime not null, constraint \`project_settings_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on update cascade on delete cascade);`);
    this.addSql(`create index \`project_settings_project_id_index\` on \`project_settings\` (\`project_id\`);`);

    this.addSql(`create table \`setup_link\` (\`id\` integer not null primary key, \`token_hash\` text not null, \`expires_at\` datetime not null);`);

    this.addSql(`create table \`sign_in_attempt\` (\`id\` text not null primary key, \`attempts\` integer not null, \`expires_at\` datetime not null);`);
    this.addSql(`create index \`sign_in_attempt_expires_at_index\` on \`sign_in_attempt\` (\`expires_at\`);`);

    this.addSql(`create table \`user_account\` (\`id\` text not null primary key, \`email\` text not null, \`password_hash\` text not null, \`created_at\` datetime not null);`);
    this.addSql(`create unique index \`user_account_email_unique\` on \`user_account\` (\`email\`);`);

    this.addSql(`create table \`membership\` (\`user_id\` text not null, \`project_id\` text not null, \`role\` text not null, \`created_at\` datetime not null, primary key (\`user_id\`, \`project_id\`), constraint \`membership_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on update cascade on delete cascade, constraint \`membership_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`) on update cascade on delete cascade);`);
    this.addSql(`create index \`membership_user_id_index\` on \`membership\` (\`user_id\`);`);
    this.addSql(`create index \`membership_project_id_index\` on \`membership\` (\`project_id\`);`);

    this.addSql(`create table \`dashboard_session\` (\`id\` text not null primary key, \`user_id\` text not null, \`token_hash\` text not null, \`created_at\` datetime not null, \`last_seen_at\` datetime not null, \`address\` text not null, \`user_agent\` text not null, constraint \`dashboard_session_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`dashboard_session_token_hash_unique\` on \`dashboard_session\` (\`token_hash\`);`);
    this.addSql(`create index \`dashboard_session_user_id_index\` on \`dashboard_session\` (\`user_id\`);`);
  }

  override down(): void | Promise<void> {

    this.addSql(`drop table if exists \`invitation\`;`);
    this.addSql(`drop table if exists \`project_settings\`;`);
    this.addSql(`drop table if exists \`setup_link\`;`);
    this.addSql(`drop table if exists \`sign_in_attempt\`;`);
    this.addSql(`drop table if exists \`user_account\`;`);
    this.addSql(`drop table if exists \`membership\`;`);
    this.addSql(`drop table if exists \`dashboard_session\`;`);
  }

}
