-- The lane of one merchant's deliveries to one endpoint, from the hash of the endpoint's address. Pairs that share a lane
-- by chance share its order and nothing else. The worker computes it too: laneOf in src/worker/webhooks/job.ts.
create or replace function webhook_lane(merchant uuid, endpoint_key text) returns integer language sql immutable parallel safe as $$
  select -1 - ('x' || left(md5(merchant::text || endpoint_key), 7))::bit(28)::integer
$$;
