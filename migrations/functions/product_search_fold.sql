-- A text in the form that is searched: compatibility characters, case, accents and vowel marks are folded, Arabic
-- letters that are used instead of one another are made equal, and punctuation is replaced by spaces (the text search
-- parser would read "a-1" as a word and a negative number). The Arabic article is the first two letters of its word. It
-- is removed from words of four letters or more, so that a word is found with and without it. The text has at most
-- `max_length` characters, so that a document cannot exceed the size limit of tsvector.
create or replace function product_search_fold(content text, max_length integer) returns text
  language plpgsql immutable parallel safe
  as $$
    declare
      folded text := left(content, max_length);
    begin
      if octet_length(folded) = char_length(folded) then
        folded := fold(folded);
      else
        -- Compatibility characters can become longer.
        folded := left(fold(normalize(folded, NFKC)), max_length);
        if folded ~ '[\u0591-\u06ED]' then
          folded := translate(
            regexp_replace(
              folded,
              '[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED]',
              '', 'g'),
            'أإآٱىةؤئ', 'اااايهوي');
          folded := regexp_replace(folded, '\mال(?=\w\w)', '', 'g');
        end if;
      end if;
      return regexp_replace(folded, '[!-/:-@[-`{-~]', ' ', 'g');
    end
  $$;
