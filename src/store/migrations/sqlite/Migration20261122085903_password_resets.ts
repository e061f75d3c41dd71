import { Migration } from '@mikro-orm/migrations';

export class Migration20261122085903_password_resets extends Migration {

  override name = 'Migration20261122085903_password_resets';

  override up(): void | Promise<void> {
    this.addSql(`create table \`password_reset\` (\`user_id\` text not null primary key, \`token_hash\` text not null, \`made_by\` text null, \`expires_at\` datetime not null, constraint \`password_reset_user_id_foreign\` foreign key (\`user_id\`) references \`user_account\` (\`id\`) on update cascade on delete cascade, constraint \`password_reset_made_by_foreign\` foreign key (\`made_by\`) references \`user_account\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`password_reset_user_id_index\` on \`password_reset\` (\`user_id\`);`);
    this.addSql(`create unique index \`password_reset_token_hash_unique\` on \`password_reset\` (\`token_hash\`);`);
    this.addSql(`create index \`password_reset_made_by_index\` on \`password_reset\` (\`made_by\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`password_reset\`;`);
  }

}
