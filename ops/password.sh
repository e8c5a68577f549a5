# Sets `url` to DATABASE_URL without its password, and PGPASSWORD to the password, which libpq reads: all users of the
# machine see the arguments of programs, for example with ps. Read by backup.sh and restore.sh.
percent_decoded() {
  printf '%s' "$1" | LC_ALL=C awk '{
    digits = "0123456789abcdef"
    while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      code = tolower(substr($0, RSTART + 1, 2))
      byte = 16 * (index(digits, substr(code, 1, 1)) - 1) + index(digits, substr(code, 2, 1)) - 1
      printf "%s%c", substr($0, 1, RSTART - 1), byte
      $0 = substr($0, RSTART + 3)
    }
    printf "%s", $0
  }'
}

url=$DATABASE_URL
authority=${url#*://}
authority=${authority%%[/?]*}
user=${authority%@*}
case $authority in
  *:*@*)
    PGPASSWORD=$(percent_decoded "${user#*:}")
    export PGPASSWORD
    url="${url%%://*}://${user%%:*}${DATABASE_URL#*"$user"}"
    ;;
esac
case $url in
  *[?\&]password=*)
    password=${url#*[?&]password=}
    PGPASSWORD=$(percent_decoded "${password%%&*}")
    export PGPASSWORD
    url=$(printf '%s' "$url" | sed 's/\([?&]\)password=[^&]*&\{0,1\}/\1/; s/[?&]$//')
    ;;
esac
