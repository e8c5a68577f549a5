-- The lane of a merchant's deliveries, whatever their endpoint. Two merchants with the same hash share a lane. The
-- worker computes the same number: merchantLaneOf in src/worker/webhooks/job.ts.
create or replace function webhook_merchant_lane(merchant uuid) returns integer
language sql immutable parallel safe as $$
  select ('x' || left(md5(merchant::text), 7))::bit(28)::integer
$$;
