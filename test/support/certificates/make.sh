#!/bin/sh
# Makes the certificates of the tests of TLS again. Node can read certificates, and cannot make them. They are good from 2020 to 2120.
set -e
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: >"$folder/index.txt"
cat >"$folder/ca.cnf" <<END
[ca]
default_ca = settings
[settings]
database = $folder/index.txt
new_certs_dir = $folder
rand_serial = yes
default_md = sha256
policy = policy
[policy]
commonName = supplied
[authority]
basicConstraints = critical, CA:true
[server]
subjectAltName = DNS:localhost
[client]
extendedKeyUsage = clientAuth
END
# make NAME COMMON_NAME EXTENSIONS SIGNING_FLAGS
make() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" -keyout "$1.key" -out "$folder/$1.csr"
  openssl ca -batch -notext -config "$folder/ca.cnf" -extensions "$3" $4 -in "$folder/$1.csr" -out "$1.crt" \
    -startdate 20200101000000Z -enddate 21200101000000Z
}
make authority authority authority "-selfsign -keyfile authority.key"
make other-authority other-authority authority "-selfsign -keyfile other-authority.key"
signed="-cert authority.crt -keyfile authority.key"
make server localhost server "$signed"
make client postgres client "$signed"
openssl pkcs8 -topk8 -in client.key -passout pass:passphrase -out encrypted-client.key
openssl ca -config "$folder/ca.cnf" $signed -revoke server.crt
openssl ca -config "$folder/ca.cnf" $signed -gencrl -crl_lastupdate 20200101000000Z -crl_nextupdate 21200101000000Z \
  -out server-revoked.crl
rm authority.key other-authority.key
