import { Migration } from '@mikro-orm/migrations';

export class Migration20261123014211_background_inferences extends Migration {

  override name = 'Migration20261123014211_background_inferences';

  override up(): void | Promise<void> {
    this.addSql(`create table \`background_inference\` (\`id\` text not null primary key, \`project_id\` text not null, \`key_id\` text not null, \`model\` text not null, \`streamed\` integer not null, \`started_at\` datetime not null, \`beat_at\` datetime not null, \`previous_id\` text null, \`cancel_requested\` integer not null default false, \`request\` blob not null);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`background_inference\`;`);
  }

}
