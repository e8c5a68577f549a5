-- Writes the events of customers. In documents, a member that is null and one that is absent are the same: neither is a change.
create or replace function customer_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed_ids uuid[];
  ids uuid[];
  datas text[];
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := array(
      select w from webhook w
      where w.merchant_id = merchant and w.scope in ('store/customer/created', 'store/customer/updated'));
    continue when cardinality(hooks) = 0;
    if tg_op = 'UPDATE' then
      changed_ids := array(
        select n.id from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' <> jsonb_strip_nulls(to_jsonb(o)) - 'updated_at');
      continue when changed_ids = '{}';
    end if;
    select array_agg(n.id), array_agg(row_to_json(d)::text) into ids, datas
    from new_rows n, lateral (
      select
        n.id as "id",
        n.first_name as "firstName",
        n.last_name as "lastName",
        n.full_name as "fullName",
        n.email as "email",
        n.phone as "phone",
        n.note as "note",
        n.ip as "ip",
        n.user_agent as "userAgent",
        n.preferred_language as "preferredLanguage",
        n.price_list_id as "priceListId",
        n.last_price_list_id as "lastPriceListId",
        n.last_storefront_routing_id as "lastStorefrontRoutingId",
        n.sequence as "customerSequence",
        n.order_count as "orderCount",
        trim_scale(n.total_order_price) as "totalOrderPrice",
        n.is_email_verified as "isEmailVerified",
        n.is_phone_verified as "isPhoneVerified",
        (extract(epoch from n.birth_date) * 1000)::bigint as "birthDate",
        (extract(epoch from n.account_status_updated_at) * 1000)::bigint as "accountStatusUpdatedAt",
        (extract(epoch from n.email_verified_date) * 1000)::bigint as "emailVerifiedDate",
        (extract(epoch from n.phone_verified_date) * 1000)::bigint as "phoneVerifiedDate",
        (extract(epoch from n.password_update_date) * 1000)::bigint as "passwordUpdateDate",
        (extract(epoch from n.first_order_date) * 1000)::bigint as "firstOrderDate",
        (extract(epoch from n.last_order_date) * 1000)::bigint as "lastOrderDate",
        (extract(epoch from n.subscription_status_updated_at) * 1000)::bigint as "subscriptionStatusUpdatedAt",
        (extract(epoch from n.sms_subscription_status_updated_at) * 1000)::bigint as "smsSubscriptionStatusUpdatedAt",
        (extract(epoch from n.phone_subscription_status_updated_at) * 1000)::bigint as "phoneSubscriptionStatusUpdatedAt",
        n.tag_ids as "tagIds",
        n.customer_group_ids as "customerGroupIds",
        n.customer_segment_ids as "customerSegmentIds",
        n.gender as "gender",
        n.account_status as "accountStatus",
        n.b2b_status as "b2bStatus",
        n.registration_source as "registrationSource",
        n.subscription_status as "subscriptionStatus",
        n.sms_subscription_status as "smsSubscriptionStatus",
        n.phone_subscription_status as "phoneSubscriptionStatus",
        n.addresses as "addresses",
        n.attributes as "attributes",
        n.price_list_rules as "priceListRules",
        (extract(epoch from n.created_at) * 1000)::bigint as "createdAt",
        (extract(epoch from n.updated_at) * 1000)::bigint as "updatedAt",
        n.deleted as "deleted"
    ) d
    where n.merchant_id = merchant and (changed_ids is null or n.id = any(changed_ids));
    perform record_webhook_events(
      merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;

create or replace trigger customer_inserted after insert on customer referencing new table as new_rows
  for each statement when (pg_sequence_last_value('customer_webhooks'::regclass) is not null) execute function customer_changed();
create or replace trigger customer_updated after update on customer referencing old table as old_rows new table as new_rows
  for each statement when (pg_sequence_last_value('customer_webhooks'::regclass) is not null) execute function customer_changed();
