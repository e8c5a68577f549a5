-- The lane of a merchant's deliveries to one endpoint, from a hash of the address. Two pairs with the same hash share a
-- lane, which affects only their order. The worker computes the same number: laneOf in src/worker/webhooks/job.ts.
create or replace function webhook_lane(merchant uuid, endpoint_key text) returns integer
language sql immutable parallel safe as $$
  select -1 - ('x' || left(md5(merchant::text || endpoint_key), 7))::bit(28)::integer
$$;
