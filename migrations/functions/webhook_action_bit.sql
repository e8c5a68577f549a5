-- The bit of an action in webhook_record.listens.
create or replace function webhook_action_bit(action text) returns integer language sql immutable parallel safe as $$
  select case action when 'created' then 1 when 'deleted' then 4 else 2 end
$$;
