-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes customer.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function customer_history() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  is_kept boolean;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
  is_unusual boolean;
  statement_number integer;
  bytes_at_once constant integer := 16777216;
  changes refcursor;
  change record;
  bytes bigint;
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select t.id, t.is_kept, t.is_full into transaction_key, is_kept, is_full from change_transaction t
    where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
    if not found then
      continue when not keeps_history(merchant);
      select * into transaction_key, is_kept, is_full from begin_changes(merchant);
    end if;
    continue when not is_kept;
    if tg_op = 'UPDATE' then
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      is_full := is_full or exists (
        select from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and n.erasure_id is not null and o.erasure_id is null);
    end if;
    if tg_op = 'INSERT' then
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
          from (
            select n.id as record, n.id, 'CUSTOMER' as type, 'INSERTED' as row_change, null::text as before, concat_ws(',',
              '"customerSequence":' || n.sequence::text,
              '"firstName":' || to_json(n.first_name)::text,
              '"lastName":' || to_json(n.last_name)::text,
              '"email":' || to_json(n.email)::text,
              '"phone":' || to_json(n.phone)::text,
              '"note":' || to_json(n.note)::text,
              '"ip":' || to_json(n.ip)::text,
              '"userAgent":' || to_json(n.user_agent)::text,
              '"preferredLanguage":' || to_json(n.preferred_language)::text,
              '"priceListId":' || '"' || n.price_list_id || '"',
              '"lastPriceListId":' || '"' || n.last_price_list_id || '"',
              '"lastStorefrontRoutingId":' || to_json(n.last_storefront_routing_id)::text,
              '"orderCount":' || n.order_count::text,
              '"totalOrderPrice":' || trim_scale(n.total_order_price)::text,
              '"firstOrderDate":' || (date_part('epoch', n.first_order_date) * 1000)::bigint::text,
              '"lastOrderDate":' || (date_part('epoch', n.last_order_date) * 1000)::bigint::text,
              '"isEmailVerified":' || n.is_email_verified::text,
              '"emailVerifiedDate":' || (date_part('epoch', n.email_verified_date) * 1000)::bigint::text,
              '"isPhoneVerified":' || n.is_phone_verified::text,
              '"phoneVerifiedDate":' || (date_part('epoch', n.phone_verified_date) * 1000)::bigint::text,
              '"birthDate":' || (date_part('epoch', n.birth_date) * 1000)::bigint::text,
              '"passwordUpdateDate":' || (date_part('epoch', n.password_update_date) * 1000)::bigint::text,
              '"gender":' || to_json(n.gender)::text,
              '"accountStatus":' || to_json(n.account_status)::text,
              '"accountStatusUpdatedAt":' || (date_part('epoch', n.account_status_updated_at) * 1000)::bigint::text,
              '"b2bStatus":' || to_json(n.b2b_status)::text,
              '"registrationSource":' || to_json(n.registration_source)::text,
              '"subscriptionStatus":' || to_json(n.subscription_status)::text,
              '"subscriptionStatusUpdatedAt":' || (date_part('epoch', n.subscription_status_updated_at) * 1000)::bigint::text,
              '"smsSubscriptionStatus":' || to_json(n.sms_subscription_status)::text,
              '"smsSubscriptionStatusUpdatedAt":' || (date_part('epoch', n.sms_subscription_status_updated_at) * 1000)::bigint::text,
              '"phoneSubscriptionStatus":' || to_json(n.phone_subscription_status)::text,
              '"phoneSubscriptionStatusUpdatedAt":' || (date_part('epoch', n.phone_subscription_status_updated_at) * 1000)::bigint::text,
              case when n.tag_ids <> '{}' then '"tagIds":' || to_json(n.tag_ids)::text end,
              case when n.customer_group_ids <> '{}' then '"customerGroupIds":' || to_json(n.customer_group_ids)::text end,
              case when n.customer_segment_ids <> '{}' then '"customerSegmentIds":' || to_json(n.customer_segment_ids)::text end,
              '"addresses":' || n.addresses::text,
              '"attributes":' || n.attributes::text,
              '"priceListRules":' || n.price_list_rules::text,
              '"erasureBlockedUntil":' || (date_part('epoch', n.erasure_blocked_until) * 1000)::bigint::text,
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n where n.merchant_id = merchant
          ) r
          offset 0
        ) c;
    elsif tg_op = 'DELETE' then
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
          from (
            select o.id as record, o.id, 'CUSTOMER' as type, 'REMOVED' as row_change, null::text as after, concat_ws(',',
              '"customerSequence":' || o.sequence::text,
              '"firstName":' || to_json(o.first_name)::text,
              '"lastName":' || to_json(o.last_name)::text,
              '"email":' || to_json(o.email)::text,
              '"phone":' || to_json(o.phone)::text,
              '"note":' || to_json(o.note)::text,
              '"ip":' || to_json(o.ip)::text,
              '"userAgent":' || to_json(o.user_agent)::text,
              '"preferredLanguage":' || to_json(o.preferred_language)::text,
              '"priceListId":' || '"' || o.price_list_id || '"',
              '"lastPriceListId":' || '"' || o.last_price_list_id || '"',
              '"lastStorefrontRoutingId":' || to_json(o.last_storefront_routing_id)::text,
              '"orderCount":' || o.order_count::text,
              '"totalOrderPrice":' || trim_scale(o.total_order_price)::text,
              '"firstOrderDate":' || (date_part('epoch', o.first_order_date) * 1000)::bigint::text,
              '"lastOrderDate":' || (date_part('epoch', o.last_order_date) * 1000)::bigint::text,
              '"isEmailVerified":' || o.is_email_verified::text,
              '"emailVerifiedDate":' || (date_part('epoch', o.email_verified_date) * 1000)::bigint::text,
              '"isPhoneVerified":' || o.is_phone_verified::text,
              '"phoneVerifiedDate":' || (date_part('epoch', o.phone_verified_date) * 1000)::bigint::text,
              '"birthDate":' || (date_part('epoch', o.birth_date) * 1000)::bigint::text,
              '"passwordUpdateDate":' || (date_part('epoch', o.password_update_date) * 1000)::bigint::text,
              '"gender":' || to_json(o.gender)::text,
              '"accountStatus":' || to_json(o.account_status)::text,
              '"accountStatusUpdatedAt":' || (date_part('epoch', o.account_status_updated_at) * 1000)::bigint::text,
              '"b2bStatus":' || to_json(o.b2b_status)::text,
              '"registrationSource":' || to_json(o.registration_source)::text,
              '"subscriptionStatus":' || to_json(o.subscription_status)::text,
              '"subscriptionStatusUpdatedAt":' || (date_part('epoch', o.subscription_status_updated_at) * 1000)::bigint::text,
              '"smsSubscriptionStatus":' || to_json(o.sms_subscription_status)::text,
              '"smsSubscriptionStatusUpdatedAt":' || (date_part('epoch', o.sms_subscription_status_updated_at) * 1000)::bigint::text,
              '"phoneSubscriptionStatus":' || to_json(o.phone_subscription_status)::text,
              '"phoneSubscriptionStatusUpdatedAt":' || (date_part('epoch', o.phone_subscription_status_updated_at) * 1000)::bigint::text,
              case when o.tag_ids <> '{}' then '"tagIds":' || to_json(o.tag_ids)::text end,
              case when o.customer_group_ids <> '{}' then '"customerGroupIds":' || to_json(o.customer_group_ids)::text end,
              case when o.customer_segment_ids <> '{}' then '"customerSegmentIds":' || to_json(o.customer_segment_ids)::text end,
              '"addresses":' || o.addresses::text,
              '"attributes":' || o.attributes::text,
              '"priceListRules":' || o.price_list_rules::text,
              '"erasureBlockedUntil":' || (date_part('epoch', o.erasure_blocked_until) * 1000)::bigint::text,
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from old_rows o where o.merchant_id = merchant
          ) r
          offset 0
        ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
          from (
            select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
              concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
            from (
              select e.record, e.id, e.type, e.row_change,
                nullif(concat_ws(',',
                  case when e.sequence_differs then '"customerSequence":' || coalesce(e.o_sequence::text, 'null') end,
                  case when e.first_name_differs then '"firstName":' || to_json(e.o_first_name)::text end,
                  case when e.last_name_differs then '"lastName":' || coalesce(to_json(e.o_last_name)::text, 'null') end,
                  case when e.email_differs then '"email":' || coalesce(to_json(e.o_email)::text, 'null') end,
                  case when e.phone_differs then '"phone":' || coalesce(to_json(e.o_phone)::text, 'null') end,
                  case when e.note_differs then '"note":' || coalesce(to_json(e.o_note)::text, 'null') end,
                  case when e.ip_differs then '"ip":' || coalesce(to_json(e.o_ip)::text, 'null') end,
                  case when e.user_agent_differs then '"userAgent":' || coalesce(to_json(e.o_user_agent)::text, 'null') end,
                  case when e.preferred_language_differs then '"preferredLanguage":' || coalesce(to_json(e.o_preferred_language)::text, 'null') end,
                  case when e.price_list_id_differs then '"priceListId":' || coalesce('"' || e.o_price_list_id || '"', 'null') end,
                  case when e.last_price_list_id_differs then '"lastPriceListId":' || coalesce('"' || e.o_last_price_list_id || '"', 'null') end,
                  case when e.last_storefront_routing_id_differs then '"lastStorefrontRoutingId":' || coalesce(to_json(e.o_last_storefront_routing_id)::text, 'null') end,
                  case when e.order_count_differs then '"orderCount":' || coalesce(e.o_order_count::text, 'null') end,
                  case when e.total_order_price_differs then '"totalOrderPrice":' || coalesce(trim_scale(e.o_total_order_price)::text, 'null') end,
                  case when e.first_order_date_differs then '"firstOrderDate":' || coalesce((date_part('epoch', e.o_first_order_date) * 1000)::bigint::text, 'null') end,
                  case when e.last_order_date_differs then '"lastOrderDate":' || coalesce((date_part('epoch', e.o_last_order_date) * 1000)::bigint::text, 'null') end,
                  case when e.is_email_verified_differs then '"isEmailVerified":' || coalesce(e.o_is_email_verified::text, 'null') end,
                  case when e.email_verified_date_differs then '"emailVerifiedDate":' || coalesce((date_part('epoch', e.o_email_verified_date) * 1000)::bigint::text, 'null') end,
                  case when e.is_phone_verified_differs then '"isPhoneVerified":' || coalesce(e.o_is_phone_verified::text, 'null') end,
                  case when e.phone_verified_date_differs then '"phoneVerifiedDate":' || coalesce((date_part('epoch', e.o_phone_verified_date) * 1000)::bigint::text, 'null') end,
                  case when e.birth_date_differs then '"birthDate":' || coalesce((date_part('epoch', e.o_birth_date) * 1000)::bigint::text, 'null') end,
                  case when e.password_update_date_differs then '"passwordUpdateDate":' || coalesce((date_part('epoch', e.o_password_update_date) * 1000)::bigint::text, 'null') end,
                  case when e.gender_differs then '"gender":' || coalesce(to_json(e.o_gender)::text, 'null') end,
                  case when e.account_status_differs then '"accountStatus":' || coalesce(to_json(e.o_account_status)::text, 'null') end,
                  case when e.account_status_updated_at_differs then '"accountStatusUpdatedAt":' || coalesce((date_part('epoch', e.o_account_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.b2b_status_differs then '"b2bStatus":' || coalesce(to_json(e.o_b2b_status)::text, 'null') end,
                  case when e.registration_source_differs then '"registrationSource":' || coalesce(to_json(e.o_registration_source)::text, 'null') end,
                  case when e.subscription_status_differs then '"subscriptionStatus":' || coalesce(to_json(e.o_subscription_status)::text, 'null') end,
                  case when e.subscription_status_updated_at_differs then '"subscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.o_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.sms_subscription_status_differs then '"smsSubscriptionStatus":' || coalesce(to_json(e.o_sms_subscription_status)::text, 'null') end,
                  case when e.sms_subscription_status_updated_at_differs then '"smsSubscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.o_sms_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.phone_subscription_status_differs then '"phoneSubscriptionStatus":' || coalesce(to_json(e.o_phone_subscription_status)::text, 'null') end,
                  case when e.phone_subscription_status_updated_at_differs then '"phoneSubscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.o_phone_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.tag_ids_differs then '"tagIds":' || coalesce(to_json(e.o_tag_ids)::text, 'null') end,
                  case when e.customer_group_ids_differs then '"customerGroupIds":' || coalesce(to_json(e.o_customer_group_ids)::text, 'null') end,
                  case when e.customer_segment_ids_differs then '"customerSegmentIds":' || coalesce(to_json(e.o_customer_segment_ids)::text, 'null') end,
                  case when e.addresses_differs then '"addresses":' || coalesce(e.o_addresses::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.o_attributes::text, 'null') end,
                  case when e.price_list_rules_differs then '"priceListRules":' || coalesce(e.o_price_list_rules::text, 'null') end,
                  case when e.erasure_blocked_until_differs then '"erasureBlockedUntil":' || coalesce((date_part('epoch', e.o_erasure_blocked_until) * 1000)::bigint::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.sequence_differs then '"customerSequence":' || coalesce(e.n_sequence::text, 'null') end,
                  case when e.first_name_differs then '"firstName":' || to_json(e.n_first_name)::text end,
                  case when e.last_name_differs then '"lastName":' || coalesce(to_json(e.n_last_name)::text, 'null') end,
                  case when e.email_differs then '"email":' || coalesce(to_json(e.n_email)::text, 'null') end,
                  case when e.phone_differs then '"phone":' || coalesce(to_json(e.n_phone)::text, 'null') end,
                  case when e.note_differs then '"note":' || coalesce(to_json(e.n_note)::text, 'null') end,
                  case when e.ip_differs then '"ip":' || coalesce(to_json(e.n_ip)::text, 'null') end,
                  case when e.user_agent_differs then '"userAgent":' || coalesce(to_json(e.n_user_agent)::text, 'null') end,
                  case when e.preferred_language_differs then '"preferredLanguage":' || coalesce(to_json(e.n_preferred_language)::text, 'null') end,
                  case when e.price_list_id_differs then '"priceListId":' || coalesce('"' || e.n_price_list_id || '"', 'null') end,
                  case when e.last_price_list_id_differs then '"lastPriceListId":' || coalesce('"' || e.n_last_price_list_id || '"', 'null') end,
                  case when e.last_storefront_routing_id_differs then '"lastStorefrontRoutingId":' || coalesce(to_json(e.n_last_storefront_routing_id)::text, 'null') end,
                  case when e.order_count_differs then '"orderCount":' || coalesce(e.n_order_count::text, 'null') end,
                  case when e.total_order_price_differs then '"totalOrderPrice":' || coalesce(trim_scale(e.n_total_order_price)::text, 'null') end,
                  case when e.first_order_date_differs then '"firstOrderDate":' || coalesce((date_part('epoch', e.n_first_order_date) * 1000)::bigint::text, 'null') end,
                  case when e.last_order_date_differs then '"lastOrderDate":' || coalesce((date_part('epoch', e.n_last_order_date) * 1000)::bigint::text, 'null') end,
                  case when e.is_email_verified_differs then '"isEmailVerified":' || coalesce(e.n_is_email_verified::text, 'null') end,
                  case when e.email_verified_date_differs then '"emailVerifiedDate":' || coalesce((date_part('epoch', e.n_email_verified_date) * 1000)::bigint::text, 'null') end,
                  case when e.is_phone_verified_differs then '"isPhoneVerified":' || coalesce(e.n_is_phone_verified::text, 'null') end,
                  case when e.phone_verified_date_differs then '"phoneVerifiedDate":' || coalesce((date_part('epoch', e.n_phone_verified_date) * 1000)::bigint::text, 'null') end,
                  case when e.birth_date_differs then '"birthDate":' || coalesce((date_part('epoch', e.n_birth_date) * 1000)::bigint::text, 'null') end,
                  case when e.password_update_date_differs then '"passwordUpdateDate":' || coalesce((date_part('epoch', e.n_password_update_date) * 1000)::bigint::text, 'null') end,
                  case when e.gender_differs then '"gender":' || coalesce(to_json(e.n_gender)::text, 'null') end,
                  case when e.account_status_differs then '"accountStatus":' || coalesce(to_json(e.n_account_status)::text, 'null') end,
                  case when e.account_status_updated_at_differs then '"accountStatusUpdatedAt":' || coalesce((date_part('epoch', e.n_account_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.b2b_status_differs then '"b2bStatus":' || coalesce(to_json(e.n_b2b_status)::text, 'null') end,
                  case when e.registration_source_differs then '"registrationSource":' || coalesce(to_json(e.n_registration_source)::text, 'null') end,
                  case when e.subscription_status_differs then '"subscriptionStatus":' || coalesce(to_json(e.n_subscription_status)::text, 'null') end,
                  case when e.subscription_status_updated_at_differs then '"subscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.n_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.sms_subscription_status_differs then '"smsSubscriptionStatus":' || coalesce(to_json(e.n_sms_subscription_status)::text, 'null') end,
                  case when e.sms_subscription_status_updated_at_differs then '"smsSubscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.n_sms_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.phone_subscription_status_differs then '"phoneSubscriptionStatus":' || coalesce(to_json(e.n_phone_subscription_status)::text, 'null') end,
                  case when e.phone_subscription_status_updated_at_differs then '"phoneSubscriptionStatusUpdatedAt":' || coalesce((date_part('epoch', e.n_phone_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                  case when e.tag_ids_differs then '"tagIds":' || coalesce(to_json(e.n_tag_ids)::text, 'null') end,
                  case when e.customer_group_ids_differs then '"customerGroupIds":' || coalesce(to_json(e.n_customer_group_ids)::text, 'null') end,
                  case when e.customer_segment_ids_differs then '"customerSegmentIds":' || coalesce(to_json(e.n_customer_segment_ids)::text, 'null') end,
                  case when e.addresses_differs then '"addresses":' || coalesce(e.n_addresses::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.n_attributes::text, 'null') end,
                  case when e.price_list_rules_differs then '"priceListRules":' || coalesce(e.n_price_list_rules::text, 'null') end,
                  case when e.erasure_blocked_until_differs then '"erasureBlockedUntil":' || coalesce((date_part('epoch', e.n_erasure_blocked_until) * 1000)::bigint::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.n_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.n_deleted::text end
                ), '') as after,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.o_updated_at) * 1000)::bigint::text end
                ), '') as former_stamps,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.n_updated_at) * 1000)::bigint::text end
                ), '') as stamps
              from (
                select
                  n.id as record, n.id, 'CUSTOMER' as type,
                  case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
                  o.sequence as o_sequence, n.sequence as n_sequence, o.sequence is distinct from n.sequence as sequence_differs,
                  o.first_name as o_first_name, n.first_name as n_first_name, o.first_name <> n.first_name as first_name_differs,
                  o.last_name as o_last_name, n.last_name as n_last_name, o.last_name is distinct from n.last_name as last_name_differs,
                  o.email as o_email, n.email as n_email, o.email is distinct from n.email as email_differs,
                  o.phone as o_phone, n.phone as n_phone, o.phone is distinct from n.phone as phone_differs,
                  o.note as o_note, n.note as n_note, o.note is distinct from n.note as note_differs,
                  o.ip as o_ip, n.ip as n_ip, o.ip is distinct from n.ip as ip_differs,
                  o.user_agent as o_user_agent, n.user_agent as n_user_agent, o.user_agent is distinct from n.user_agent as user_agent_differs,
                  o.preferred_language as o_preferred_language, n.preferred_language as n_preferred_language, o.preferred_language is distinct from n.preferred_language as preferred_language_differs,
                  o.price_list_id as o_price_list_id, n.price_list_id as n_price_list_id, o.price_list_id is distinct from n.price_list_id as price_list_id_differs,
                  o.last_price_list_id as o_last_price_list_id, n.last_price_list_id as n_last_price_list_id, o.last_price_list_id is distinct from n.last_price_list_id as last_price_list_id_differs,
                  o.last_storefront_routing_id as o_last_storefront_routing_id, n.last_storefront_routing_id as n_last_storefront_routing_id, o.last_storefront_routing_id is distinct from n.last_storefront_routing_id as last_storefront_routing_id_differs,
                  o.order_count as o_order_count, n.order_count as n_order_count, o.order_count is distinct from n.order_count as order_count_differs,
                  o.total_order_price as o_total_order_price, n.total_order_price as n_total_order_price, o.total_order_price is distinct from n.total_order_price as total_order_price_differs,
                  o.first_order_date as o_first_order_date, n.first_order_date as n_first_order_date, o.first_order_date is distinct from n.first_order_date as first_order_date_differs,
                  o.last_order_date as o_last_order_date, n.last_order_date as n_last_order_date, o.last_order_date is distinct from n.last_order_date as last_order_date_differs,
                  o.is_email_verified as o_is_email_verified, n.is_email_verified as n_is_email_verified, o.is_email_verified is distinct from n.is_email_verified as is_email_verified_differs,
                  o.email_verified_date as o_email_verified_date, n.email_verified_date as n_email_verified_date, o.email_verified_date is distinct from n.email_verified_date as email_verified_date_differs,
                  o.is_phone_verified as o_is_phone_verified, n.is_phone_verified as n_is_phone_verified, o.is_phone_verified is distinct from n.is_phone_verified as is_phone_verified_differs,
                  o.phone_verified_date as o_phone_verified_date, n.phone_verified_date as n_phone_verified_date, o.phone_verified_date is distinct from n.phone_verified_date as phone_verified_date_differs,
                  o.birth_date as o_birth_date, n.birth_date as n_birth_date, o.birth_date is distinct from n.birth_date as birth_date_differs,
                  o.password_update_date as o_password_update_date, n.password_update_date as n_password_update_date, o.password_update_date is distinct from n.password_update_date as password_update_date_differs,
                  o.gender as o_gender, n.gender as n_gender, o.gender is distinct from n.gender as gender_differs,
                  o.account_status as o_account_status, n.account_status as n_account_status, o.account_status is distinct from n.account_status as account_status_differs,
                  o.account_status_updated_at as o_account_status_updated_at, n.account_status_updated_at as n_account_status_updated_at, o.account_status_updated_at is distinct from n.account_status_updated_at as account_status_updated_at_differs,
                  o.b2b_status as o_b2b_status, n.b2b_status as n_b2b_status, o.b2b_status is distinct from n.b2b_status as b2b_status_differs,
                  o.registration_source as o_registration_source, n.registration_source as n_registration_source, o.registration_source is distinct from n.registration_source as registration_source_differs,
                  o.subscription_status as o_subscription_status, n.subscription_status as n_subscription_status, o.subscription_status is distinct from n.subscription_status as subscription_status_differs,
                  o.subscription_status_updated_at as o_subscription_status_updated_at, n.subscription_status_updated_at as n_subscription_status_updated_at, o.subscription_status_updated_at is distinct from n.subscription_status_updated_at as subscription_status_updated_at_differs,
                  o.sms_subscription_status as o_sms_subscription_status, n.sms_subscription_status as n_sms_subscription_status, o.sms_subscription_status is distinct from n.sms_subscription_status as sms_subscription_status_differs,
                  o.sms_subscription_status_updated_at as o_sms_subscription_status_updated_at, n.sms_subscription_status_updated_at as n_sms_subscription_status_updated_at, o.sms_subscription_status_updated_at is distinct from n.sms_subscription_status_updated_at as sms_subscription_status_updated_at_differs,
                  o.phone_subscription_status as o_phone_subscription_status, n.phone_subscription_status as n_phone_subscription_status, o.phone_subscription_status is distinct from n.phone_subscription_status as phone_subscription_status_differs,
                  o.phone_subscription_status_updated_at as o_phone_subscription_status_updated_at, n.phone_subscription_status_updated_at as n_phone_subscription_status_updated_at, o.phone_subscription_status_updated_at is distinct from n.phone_subscription_status_updated_at as phone_subscription_status_updated_at_differs,
                  o.tag_ids as o_tag_ids, n.tag_ids as n_tag_ids, o.tag_ids is distinct from n.tag_ids as tag_ids_differs,
                  o.customer_group_ids as o_customer_group_ids, n.customer_group_ids as n_customer_group_ids, o.customer_group_ids is distinct from n.customer_group_ids as customer_group_ids_differs,
                  o.customer_segment_ids as o_customer_segment_ids, n.customer_segment_ids as n_customer_segment_ids, o.customer_segment_ids is distinct from n.customer_segment_ids as customer_segment_ids_differs,
                  o.addresses as o_addresses, n.addresses as n_addresses, (o.addresses::text is distinct from n.addresses::text and json_differs(o.addresses::text, n.addresses::text)) as addresses_differs,
                  o.attributes as o_attributes, n.attributes as n_attributes, (o.attributes::text is distinct from n.attributes::text and json_differs(o.attributes::text, n.attributes::text)) as attributes_differs,
                  o.price_list_rules as o_price_list_rules, n.price_list_rules as n_price_list_rules, (o.price_list_rules::text is distinct from n.price_list_rules::text and json_differs(o.price_list_rules::text, n.price_list_rules::text)) as price_list_rules_differs,
                  o.erasure_blocked_until as o_erasure_blocked_until, n.erasure_blocked_until as n_erasure_blocked_until, o.erasure_blocked_until is distinct from n.erasure_blocked_until as erasure_blocked_until_differs,
                  o.created_at as o_created_at, n.created_at as n_created_at, o.created_at <> n.created_at as created_at_differs,
                  o.updated_at as o_updated_at, n.updated_at as n_updated_at, o.updated_at <> n.updated_at as updated_at_differs,
                  o.deleted as o_deleted, n.deleted as n_deleted, o.deleted <> n.deleted as deleted_differs
                from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
                where n.merchant_id = merchant
                offset 0
              ) e
              offset 0
            ) d
            where d.before is not null or d.stamps is not null
          ) r
          offset 0
        ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    loop
      ids := '{}';
      types := '{}';
      row_changes := '{}';
      befores := '{}';
      afters := '{}';
      is_unusual := false;
      bytes := 0;
      loop
        fetch changes into change;
        exit when not found;
        ids := ids || change.record;
        types := types || change.type;
        row_changes := row_changes || change.row_change;
        befores := befores || change.before;
        afters := afters || change.after;
        is_unusual := is_unusual or change.is_unusual;
        bytes := bytes + change.bytes;
        exit when bytes > bytes_at_once;
      end loop;
      exit when ids = '{}';
      -- The assignment only calls the function: PERFORM would run a query to call it.
      statement_number := write_change_parts(
        merchant, transaction_key, is_full, is_unusual, '', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
create or replace trigger change_inserted after insert on customer referencing new table as new_rows
  for each statement execute function customer_history();--> statement-breakpoint
create or replace trigger change_updated after update on customer
  referencing old table as old_rows new table as new_rows
  for each statement execute function customer_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on customer referencing old table as old_rows
  for each statement execute function customer_history();
