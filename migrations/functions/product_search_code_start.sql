-- The beginning of the words with digits of a merchant's codes in its documents. A search finds such words by a prefix,
-- for which GIN reads all lexemes that have it. So the lexemes of one merchant must differ from those of the others.
create or replace function product_search_code_start(merchant uuid) returns text
  language sql immutable parallel safe
  as $$ select '+' || left(encode(sha256(uuid_send(merchant)), 'hex'), 6) $$;
