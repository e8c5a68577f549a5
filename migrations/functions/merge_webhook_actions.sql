-- Combines the actions of several changes of a record in one transaction into one action.
create or replace function merge_webhook_actions(earlier text, later text) returns text
language sql immutable parallel safe as $$
  select case
    when later = 'erased' then 'erased'
    when earlier = 'created' then 'created'
    when earlier = 'deleted' and later = 'updated' then 'deleted'
    else later
  end
$$;
