import { Migration } from '@mikro-orm/migrations';

export class Migration20261121230941_dashboard extends Migration {

  override name = 'Migration20261121230941_dashboard';

  override up(): void | Promise<void> {
    this.addSql(`create table "invitation" ("id" uuid not null, "project_id" uuid not null, "email" varchar(320) not null, "role" text not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "invitation" add constraint "invitation_token_hash_unique" unique ("token_hash");`);
    this.addSql(`alter table "invitation" add constraint "invitation_project_id_email_unique" unique ("project_id", "email");`);

    this.addSql(`create table "project_settings" ("project_id" uuid not null, "bodies" text not null, "updated_at" timestamptz(3) not null, primary key ("project_id"));`);

    this.addSql(`create table "setup_link" ("id" int not null, "token_hash" varchar(64) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);

    this.addSql(`create table "sign_in_attempt" ("id" varchar(64) not null, "attempts" int not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "sign_in_attempt_expires_at_index" on "sign_in_attempt" ("expires_at");`);

    this.addSql(`create table "user_account" ("id" uuid not null, "email" varchar(320) not null, "password_hash" text not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "user_account" add constraint "user_account_email_unique" unique ("email");`);

    this.addSql(`create table "membership" ("user_id" uuid not null, "project_id" uuid not null, "role" text not null, "created_at" timestamptz(3) not null, primary key ("user_id", "project_id"));`);
    this.addSql(`create index "membership_project_id_index" on "membership" ("project_id");`);

    this.addSql(`create table "dashboard_session" ("id" uuid not null, "user_id" uuid not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "address" text not null, "user_agent" text not null, primary key ("id"));`);
    this.addSql(`alter table "dashboard_session" add constraint "dashboard_session_token_hash_unique" unique ("token_hash");`);
    this.addSql(`create index "dashboard_session_user_id_index" on "dashboard_session" ("user_id");`);

    this.addSql(`alter table "invitation" add constraint "invitation_project_id_foreign" foreign key ("project_id") references "project" ("id") on delete cascade;`);

    this.addSql(`alter table "project_settings" add constraint "project_settings_project_id_foreign" foreign key ("project_id") references "project" ("id") on update cascade on delete cascade;`);

    this.addSql(`alter table "membership" add constraint "membership_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "membership" add constraint "membership_project_id_foreign" foreign key ("project_id") references "project" ("id") on update cascade on delete cascade;`);

    this.addSql(`alter table "dashboard_session" add constraint "dashboard_session_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "membership" drop constraint "membership_user_id_foreign";`);
    this.addSql(`alter table "dashboard_session" drop constraint "dashboard_session_user_id_foreign";`);

    this.addSql(`drop table if exists "invitation" cascade;`);
    this.addSql(`drop table if exists "project_settings" cascade;`);
    this.addSql(`drop table if exists "setup_link" cascade;`);
    this.addSql(`drop table if exists "sign_in_attempt" cascade;`);
    this.addSql(`drop table if exists "user_account" cascade;`);
    this.addSql(`drop table if exists "membership" cascade;`);
    this.addSql(`drop table if exists "dashboard_session" cascade;`);
  }

}
