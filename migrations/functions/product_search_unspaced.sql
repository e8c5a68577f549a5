-- A regular expression: a character with its combining marks, in the scripts that write no spaces between words (Thai,
-- Lao, Burmese, Khmer, Chinese, Japanese). Their punctuation and digits are left out.
create or replace function product_search_unspaced() returns text
  language sql immutable parallel safe
  as $$
    select '[\u0E01-\u0E2E\u0E30\u0E32\u0E33\u0E40-\u0E45\u0E81-\u0EB0\u0EB2\u0EB3\u0EBD-\u0EC4\u0EDC-\u0EDF'
      || '\u1000-\u102A\u103F\u1050-\u1055\u1780-\u17B3'
      || '\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303B\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF'
      || '\u3105-\u312F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]'
      || '[\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u102B-\u103E\u1056-\u1059\u17B4-\u17D3]*'
  $$;
