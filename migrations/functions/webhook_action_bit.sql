-- The bit that stands for an action in the mask webhook_record.listens. A restored record is sent as an updated one.
create or replace function webhook_action_bit(action text) returns integer language sql immutable parallel safe as $$
  select case action when 'created' then 1 when 'deleted' then 4 when 'erased' then 8 else 2 end
$$;
