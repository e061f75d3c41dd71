#!/usr/bin/env bash
# PostgreSQL 18.4
node "$ATTUNE_ROOT/compat/tools/beside-database.ts" logical-replica
