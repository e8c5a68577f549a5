#!/bin/sh
# Restores a backup of backup.sh into a new, empty database, and its pictures into a folder.
#
#   DATABASE_URL=postgres://OWNER:PASSWORD@host/new_database ops/restore.sh commerce-TIME.dump [commerce-TIME.images.tar PICTURES]
#
# Make the database with the locale of docs/running.md, as the server's administrator:
#
#   createdb --owner=OWNER --template=template0 --encoding=UTF8 --locale-provider=icu --icu-locale=und \
#     --lc-collate=C --lc-ctype=C.UTF-8 new_database
#
# Privileges are restored too: without them anybody could call functions that run as the owner. The script creates the roles
# that the dump names (commerce_serving, and commerce_across if there is one) if they are missing; then give them passwords:
# psql -c '\password commerce_serving'. If the owner may not create roles, create them before. Settings of roles are in no
# dump: on another server behind PgBouncer repeat `alter role … set` of docs/several-machines.md (A pooler). Afterwards,
# before the service starts (docs/running.md, After a restore, has the reasons and the SQL):
#
#   export DATABASE_URL=… MIGRATION_DATABASE_URL=… SECRET_KEY=…   # CROSS_MERCHANT_DATABASE_URL too, if the service has it
#   npm run admin -- migrate
#   psql …                              # lets the numbers of pushes continue, before there are new events; ends all tokens
#   npm run admin -- app revoke …       # what was revoked, rotated or deleted after the backup
#   npm run admin -- storage take-over  # if the former database is no longer used, and its STORAGE_URL is
#   npm run admin -- customer erase --from erasures.log   # the file of ERASURE_LOG; with ERASURE_LOG=storage: --from storage
#   npm run admin -- doctor
#
# Without `customer erase` persons who were erased, and merchants who were removed, after the backup are in the database again,
# and without the others apps, client secrets, tokens and webhooks are valid again that were revoked, and receivers ignore pushes.
#
# To try a backup while the former database is used: another STORAGE_URL (a copy of the pictures), no ERASURE_LOG, no
# `storage take-over`, and ROLE=api. A worker sends pushes to the real receivers (docs/running.md, A copy of the database).
#
# Nothing is released yet: a version whose migrations/meta/_journal.json differs from that of the backup's version refuses
# the database (docs/running.md, Upgrades).
#
# Webhooks that were pending at the time of the backup are sent again. Receivers recognize them by their id.
set -eu
: "${DATABASE_URL:?is missing: the URL of the new database for the owner of the tables}"
# shellcheck source=ops/password.sh
. "$(dirname "$0")/password.sh"
dump=${1:?usage: restore.sh DUMP [IMAGES PICTURES]}
run() { psql --quiet --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@" "$url"; }

# Other schemas and extensions, such as those that all databases of a server have, are not in the way.
if [ "$(run --command="select coalesce(to_regclass('public.merchant'), to_regnamespace('drizzle')::oid) is null")" != t ]; then
  echo "The database is not empty. Restore into a new one: see the top of ops/restore.sh" >&2
  exit 1
fi
# As pg_dump writes them, names with special characters are quoted.
roles=$(pg_restore --schema-only --file=- "$dump" | sed -n 's/^GRANT .* TO \(.*\);$/\1/p' | sort -u)
run --set=roles="$roles" <<'SQL'
select format('create role %s login', role) from string_to_table(:'roles', chr(10)) as role
where role not in ('', 'PUBLIC') and not exists (select from pg_roles where rolname = (parse_ident(role))[1]) \gexec
SQL
# Without comments: those of extensions only their owner may set, who can be an administrator. The tables have none.
pg_restore --exit-on-error --no-owner --no-comments --single-transaction --dbname="$url" "$dump"
# The owner may not analyze the catalogs of the server, and a warning for each of them would hide one that matters.
run --command='set client_min_messages = error' --command=analyze

if [ $# -ge 3 ]; then
  mkdir -p "$3"
  tar --extract --file="$2" --directory="$3"
fi
