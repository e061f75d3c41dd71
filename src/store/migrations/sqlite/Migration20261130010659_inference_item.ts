import { Migration } from '@mikro-orm/migrations';

export class Migration20261130010659_inference_item extends Migration {

  override name = 'Migration20261130010659_inference_item';

  override up(): void | Promise<void> {
    this.addSql(`create table \`inference_item\` (\`id\` text not null primary key, \`inference_id\` text not null, \`project_id\` text not null, \`name\` text not null, \`asked\` text not null);`);
    this.addSql(`create index \`inference_item_project_id_name_inference_id_index\` on \`inference_item\` (\`project_id\`, \`name\`, \`inference_id\`);`);
    this.addSql(`create index \`inference_item_inference_id_index\` on \`inference_item\` (\`inference_id\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`inference_item\`;`);
  }

}
