#!/bin/sh
# Restores a backup of backup.sh into a new, empty database, and its pictures into a folder.
#
#   DATABASE_URL=postgres://OWNER:PASSWORD@host/new_database ops/restore.sh commerce-TIME.dump [commerce-TIME.images.tar PICTURES]
#
# Privileges are restored too: without them anybody could call functions that run as the owner. The script creates the roles
# that the dump names (commerce_serving, and commerce_across if there is one) if they are missing; then give them passwords:
# psql -c '\password commerce_serving'. If the owner may not create roles, create them before. Afterwards, before the
# service starts (see docs/running.md):
#
#   export DATABASE_URL=… MIGRATION_DATABASE_URL=… SECRET_KEY=…   # CROSS_MERCHANT_DATABASE_URL too, if the service has it
#   npm run admin -- migrate
#   npm run admin -- customer erase --from erasures.log   # the file of ERASURE_LOG; with ERASURE_LOG=storage: --from storage
#   npm run admin -- doctor
#
# Without `customer erase` persons who were erased, and merchants who were removed, after the backup are in the database again.
#
# Nothing is released yet: a version whose migrations/meta/_journal.json differs from that of the backup's version refuses
# the database (docs/running.md, Upgrades).
#
# Webhooks that were pending at the time of the backup are sent again. Receivers recognize them by their id.
set -eu
: "${DATABASE_URL:?is missing: the URL of the new database for the owner of the tables}"
dump=${1:?usage: restore.sh DUMP [IMAGES PICTURES]}
run() { psql --quiet --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@" "$DATABASE_URL"; }

if [ "$(run --command="select count(*) from pg_class where relnamespace = 'public'::regnamespace")" != 0 ]; then
  echo "The database is not empty. Restore into a new one: createdb NAME" >&2
  exit 1
fi
# As pg_dump writes them, names with special characters are quoted.
roles=$(pg_restore --schema-only --file=- "$dump" | sed -n 's/^GRANT .* TO \(.*\);$/\1/p' | sort -u)
run --set=roles="$roles" <<'SQL'
select format('create role %s login', role) from string_to_table(:'roles', chr(10)) as role
where role not in ('', 'PUBLIC') and not exists (select from pg_roles where rolname = (parse_ident(role))[1]) \gexec
SQL
pg_restore --exit-on-error --no-owner --single-transaction --dbname="$DATABASE_URL" "$dump"
# The owner may not analyze the catalogs of the server, and a warning for each of them would hide one that matters.
run --command='set client_min_messages = error' --command=analyze

if [ $# -ge 3 ]; then
  mkdir -p "$3"
  tar --extract --file="$2" --directory="$3"
fi
