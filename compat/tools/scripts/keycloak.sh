#!/usr/bin/env bash
# Keycloak 26.7.3, OpenJDK 17 (Debian)
artifact=org.keycloak:keycloak-quarkus-dist:26.7.3:tar.gz
mvn -q -B dependency:copy -Dartifact=$artifact -DoutputDirectory="$PWD" >maven.log 2>&1
tar xzf keycloak-quarkus-dist-26.7.3.tar.gz
node "$ATTUNE_ROOT/compat/tools/sign-in-by-keycloak.ts" "$PWD/keycloak-26.7.3"
