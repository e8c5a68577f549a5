-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records what a statement changes in customer: the members before and after it, by their names in the SDL.
create or replace function customer_history() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  statement_number integer;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select * from begin_changes(merchant) into transaction_key, statement_number, is_full;
    continue when statement_number is null;
    if tg_op = 'UPDATE' then
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      is_full := is_full or exists (
        select from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and n.erasure_id is not null and o.erasure_id is null);
    end if;
    if tg_op = 'INSERT' then
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
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
            '"firstOrderDate":' || (extract(epoch from n.first_order_date) * 1000)::bigint::text,
            '"lastOrderDate":' || (extract(epoch from n.last_order_date) * 1000)::bigint::text,
            '"isEmailVerified":' || n.is_email_verified::text,
            '"emailVerifiedDate":' || (extract(epoch from n.email_verified_date) * 1000)::bigint::text,
            '"isPhoneVerified":' || n.is_phone_verified::text,
            '"phoneVerifiedDate":' || (extract(epoch from n.phone_verified_date) * 1000)::bigint::text,
            '"birthDate":' || (extract(epoch from n.birth_date) * 1000)::bigint::text,
            '"passwordUpdateDate":' || (extract(epoch from n.password_update_date) * 1000)::bigint::text,
            '"gender":' || to_json(n.gender)::text,
            '"accountStatus":' || to_json(n.account_status)::text,
            '"accountStatusUpdatedAt":' || (extract(epoch from n.account_status_updated_at) * 1000)::bigint::text,
            '"b2bStatus":' || to_json(n.b2b_status)::text,
            '"registrationSource":' || to_json(n.registration_source)::text,
            '"subscriptionStatus":' || to_json(n.subscription_status)::text,
            '"subscriptionStatusUpdatedAt":' || (extract(epoch from n.subscription_status_updated_at) * 1000)::bigint::text,
            '"smsSubscriptionStatus":' || to_json(n.sms_subscription_status)::text,
            '"smsSubscriptionStatusUpdatedAt":' || (extract(epoch from n.sms_subscription_status_updated_at) * 1000)::bigint::text,
            '"phoneSubscriptionStatus":' || to_json(n.phone_subscription_status)::text,
            '"phoneSubscriptionStatusUpdatedAt":' || (extract(epoch from n.phone_subscription_status_updated_at) * 1000)::bigint::text,
            case when n.tag_ids <> '{}' then '"tagIds":' || to_json(n.tag_ids)::text end,
            case when n.customer_group_ids <> '{}' then '"customerGroupIds":' || to_json(n.customer_group_ids)::text end,
            case when n.customer_segment_ids <> '{}' then '"customerSegmentIds":' || to_json(n.customer_segment_ids)::text end,
            '"addresses":' || n.addresses::text,
            '"attributes":' || n.attributes::text,
            '"priceListRules":' || n.price_list_rules::text,
            '"erasureBlockedUntil":' || (extract(epoch from n.erasure_blocked_until) * 1000)::bigint::text,
            '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
            '"deleted":' || n.deleted::text
          ) as after
          from new_rows n where n.merchant_id = merchant
        ) r
      ) c;
    elsif tg_op = 'DELETE' then
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
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
            '"firstOrderDate":' || (extract(epoch from o.first_order_date) * 1000)::bigint::text,
            '"lastOrderDate":' || (extract(epoch from o.last_order_date) * 1000)::bigint::text,
            '"isEmailVerified":' || o.is_email_verified::text,
            '"emailVerifiedDate":' || (extract(epoch from o.email_verified_date) * 1000)::bigint::text,
            '"isPhoneVerified":' || o.is_phone_verified::text,
            '"phoneVerifiedDate":' || (extract(epoch from o.phone_verified_date) * 1000)::bigint::text,
            '"birthDate":' || (extract(epoch from o.birth_date) * 1000)::bigint::text,
            '"passwordUpdateDate":' || (extract(epoch from o.password_update_date) * 1000)::bigint::text,
            '"gender":' || to_json(o.gender)::text,
            '"accountStatus":' || to_json(o.account_status)::text,
            '"accountStatusUpdatedAt":' || (extract(epoch from o.account_status_updated_at) * 1000)::bigint::text,
            '"b2bStatus":' || to_json(o.b2b_status)::text,
            '"registrationSource":' || to_json(o.registration_source)::text,
            '"subscriptionStatus":' || to_json(o.subscription_status)::text,
            '"subscriptionStatusUpdatedAt":' || (extract(epoch from o.subscription_status_updated_at) * 1000)::bigint::text,
            '"smsSubscriptionStatus":' || to_json(o.sms_subscription_status)::text,
            '"smsSubscriptionStatusUpdatedAt":' || (extract(epoch from o.sms_subscription_status_updated_at) * 1000)::bigint::text,
            '"phoneSubscriptionStatus":' || to_json(o.phone_subscription_status)::text,
            '"phoneSubscriptionStatusUpdatedAt":' || (extract(epoch from o.phone_subscription_status_updated_at) * 1000)::bigint::text,
            case when o.tag_ids <> '{}' then '"tagIds":' || to_json(o.tag_ids)::text end,
            case when o.customer_group_ids <> '{}' then '"customerGroupIds":' || to_json(o.customer_group_ids)::text end,
            case when o.customer_segment_ids <> '{}' then '"customerSegmentIds":' || to_json(o.customer_segment_ids)::text end,
            '"addresses":' || o.addresses::text,
            '"attributes":' || o.attributes::text,
            '"priceListRules":' || o.price_list_rules::text,
            '"erasureBlockedUntil":' || (extract(epoch from o.erasure_blocked_until) * 1000)::bigint::text,
            '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
            '"deleted":' || o.deleted::text
          ) as before
          from old_rows o where o.merchant_id = merchant
        ) r
      ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
        from (
          select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
            concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
          from (
            select
              n.id as record, n.id, 'CUSTOMER' as type,
              case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
              nullif(concat_ws(',',
                case when o.sequence is distinct from n.sequence then '"customerSequence":' || coalesce(o.sequence::text, 'null') end,
                case when o.first_name <> n.first_name then '"firstName":' || to_json(o.first_name)::text end,
                case when o.last_name is distinct from n.last_name then '"lastName":' || coalesce(to_json(o.last_name)::text, 'null') end,
                case when o.email is distinct from n.email then '"email":' || coalesce(to_json(o.email)::text, 'null') end,
                case when o.phone is distinct from n.phone then '"phone":' || coalesce(to_json(o.phone)::text, 'null') end,
                case when o.note is distinct from n.note then '"note":' || coalesce(to_json(o.note)::text, 'null') end,
                case when o.ip is distinct from n.ip then '"ip":' || coalesce(to_json(o.ip)::text, 'null') end,
                case when o.user_agent is distinct from n.user_agent then '"userAgent":' || coalesce(to_json(o.user_agent)::text, 'null') end,
                case when o.preferred_language is distinct from n.preferred_language then '"preferredLanguage":' || coalesce(to_json(o.preferred_language)::text, 'null') end,
                case when o.price_list_id is distinct from n.price_list_id then '"priceListId":' || coalesce('"' || o.price_list_id || '"', 'null') end,
                case when o.last_price_list_id is distinct from n.last_price_list_id then '"lastPriceListId":' || coalesce('"' || o.last_price_list_id || '"', 'null') end,
                case when o.last_storefront_routing_id is distinct from n.last_storefront_routing_id then '"lastStorefrontRoutingId":' || coalesce(to_json(o.last_storefront_routing_id)::text, 'null') end,
                case when o.order_count is distinct from n.order_count then '"orderCount":' || coalesce(o.order_count::text, 'null') end,
                case when o.total_order_price is distinct from n.total_order_price then '"totalOrderPrice":' || coalesce(trim_scale(o.total_order_price)::text, 'null') end,
                case when o.first_order_date is distinct from n.first_order_date then '"firstOrderDate":' || coalesce((extract(epoch from o.first_order_date) * 1000)::bigint::text, 'null') end,
                case when o.last_order_date is distinct from n.last_order_date then '"lastOrderDate":' || coalesce((extract(epoch from o.last_order_date) * 1000)::bigint::text, 'null') end,
                case when o.is_email_verified is distinct from n.is_email_verified then '"isEmailVerified":' || coalesce(o.is_email_verified::text, 'null') end,
                case when o.email_verified_date is distinct from n.email_verified_date then '"emailVerifiedDate":' || coalesce((extract(epoch from o.email_verified_date) * 1000)::bigint::text, 'null') end,
                case when o.is_phone_verified is distinct from n.is_phone_verified then '"isPhoneVerified":' || coalesce(o.is_phone_verified::text, 'null') end,
                case when o.phone_verified_date is distinct from n.phone_verified_date then '"phoneVerifiedDate":' || coalesce((extract(epoch from o.phone_verified_date) * 1000)::bigint::text, 'null') end,
                case when o.birth_date is distinct from n.birth_date then '"birthDate":' || coalesce((extract(epoch from o.birth_date) * 1000)::bigint::text, 'null') end,
                case when o.password_update_date is distinct from n.password_update_date then '"passwordUpdateDate":' || coalesce((extract(epoch from o.password_update_date) * 1000)::bigint::text, 'null') end,
                case when o.gender is distinct from n.gender then '"gender":' || coalesce(to_json(o.gender)::text, 'null') end,
                case when o.account_status is distinct from n.account_status then '"accountStatus":' || coalesce(to_json(o.account_status)::text, 'null') end,
                case when o.account_status_updated_at is distinct from n.account_status_updated_at then '"accountStatusUpdatedAt":' || coalesce((extract(epoch from o.account_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.b2b_status is distinct from n.b2b_status then '"b2bStatus":' || coalesce(to_json(o.b2b_status)::text, 'null') end,
                case when o.registration_source is distinct from n.registration_source then '"registrationSource":' || coalesce(to_json(o.registration_source)::text, 'null') end,
                case when o.subscription_status is distinct from n.subscription_status then '"subscriptionStatus":' || coalesce(to_json(o.subscription_status)::text, 'null') end,
                case when o.subscription_status_updated_at is distinct from n.subscription_status_updated_at then '"subscriptionStatusUpdatedAt":' || coalesce((extract(epoch from o.subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.sms_subscription_status is distinct from n.sms_subscription_status then '"smsSubscriptionStatus":' || coalesce(to_json(o.sms_subscription_status)::text, 'null') end,
                case when o.sms_subscription_status_updated_at is distinct from n.sms_subscription_status_updated_at then '"smsSubscriptionStatusUpdatedAt":' || coalesce((extract(epoch from o.sms_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.phone_subscription_status is distinct from n.phone_subscription_status then '"phoneSubscriptionStatus":' || coalesce(to_json(o.phone_subscription_status)::text, 'null') end,
                case when o.phone_subscription_status_updated_at is distinct from n.phone_subscription_status_updated_at then '"phoneSubscriptionStatusUpdatedAt":' || coalesce((extract(epoch from o.phone_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.tag_ids is distinct from n.tag_ids then '"tagIds":' || coalesce(to_json(o.tag_ids)::text, 'null') end,
                case when o.customer_group_ids is distinct from n.customer_group_ids then '"customerGroupIds":' || coalesce(to_json(o.customer_group_ids)::text, 'null') end,
                case when o.customer_segment_ids is distinct from n.customer_segment_ids then '"customerSegmentIds":' || coalesce(to_json(o.customer_segment_ids)::text, 'null') end,
                case when o.addresses::text is distinct from n.addresses::text then '"addresses":' || coalesce(o.addresses::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(o.attributes::text, 'null') end,
                case when o.price_list_rules::text is distinct from n.price_list_rules::text then '"priceListRules":' || coalesce(o.price_list_rules::text, 'null') end,
                case when o.erasure_blocked_until is distinct from n.erasure_blocked_until then '"erasureBlockedUntil":' || coalesce((extract(epoch from o.erasure_blocked_until) * 1000)::bigint::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || o.deleted::text end
              ), '') as before,
              nullif(concat_ws(',',
                case when o.sequence is distinct from n.sequence then '"customerSequence":' || coalesce(n.sequence::text, 'null') end,
                case when o.first_name <> n.first_name then '"firstName":' || to_json(n.first_name)::text end,
                case when o.last_name is distinct from n.last_name then '"lastName":' || coalesce(to_json(n.last_name)::text, 'null') end,
                case when o.email is distinct from n.email then '"email":' || coalesce(to_json(n.email)::text, 'null') end,
                case when o.phone is distinct from n.phone then '"phone":' || coalesce(to_json(n.phone)::text, 'null') end,
                case when o.note is distinct from n.note then '"note":' || coalesce(to_json(n.note)::text, 'null') end,
                case when o.ip is distinct from n.ip then '"ip":' || coalesce(to_json(n.ip)::text, 'null') end,
                case when o.user_agent is distinct from n.user_agent then '"userAgent":' || coalesce(to_json(n.user_agent)::text, 'null') end,
                case when o.preferred_language is distinct from n.preferred_language then '"preferredLanguage":' || coalesce(to_json(n.preferred_language)::text, 'null') end,
                case when o.price_list_id is distinct from n.price_list_id then '"priceListId":' || coalesce('"' || n.price_list_id || '"', 'null') end,
                case when o.last_price_list_id is distinct from n.last_price_list_id then '"lastPriceListId":' || coalesce('"' || n.last_price_list_id || '"', 'null') end,
                case when o.last_storefront_routing_id is distinct from n.last_storefront_routing_id then '"lastStorefrontRoutingId":' || coalesce(to_json(n.last_storefront_routing_id)::text, 'null') end,
                case when o.order_count is distinct from n.order_count then '"orderCount":' || coalesce(n.order_count::text, 'null') end,
                case when o.total_order_price is distinct from n.total_order_price then '"totalOrderPrice":' || coalesce(trim_scale(n.total_order_price)::text, 'null') end,
                case when o.first_order_date is distinct from n.first_order_date then '"firstOrderDate":' || coalesce((extract(epoch from n.first_order_date) * 1000)::bigint::text, 'null') end,
                case when o.last_order_date is distinct from n.last_order_date then '"lastOrderDate":' || coalesce((extract(epoch from n.last_order_date) * 1000)::bigint::text, 'null') end,
                case when o.is_email_verified is distinct from n.is_email_verified then '"isEmailVerified":' || coalesce(n.is_email_verified::text, 'null') end,
                case when o.email_verified_date is distinct from n.email_verified_date then '"emailVerifiedDate":' || coalesce((extract(epoch from n.email_verified_date) * 1000)::bigint::text, 'null') end,
                case when o.is_phone_verified is distinct from n.is_phone_verified then '"isPhoneVerified":' || coalesce(n.is_phone_verified::text, 'null') end,
                case when o.phone_verified_date is distinct from n.phone_verified_date then '"phoneVerifiedDate":' || coalesce((extract(epoch from n.phone_verified_date) * 1000)::bigint::text, 'null') end,
                case when o.birth_date is distinct from n.birth_date then '"birthDate":' || coalesce((extract(epoch from n.birth_date) * 1000)::bigint::text, 'null') end,
                case when o.password_update_date is distinct from n.password_update_date then '"passwordUpdateDate":' || coalesce((extract(epoch from n.password_update_date) * 1000)::bigint::text, 'null') end,
                case when o.gender is distinct from n.gender then '"gender":' || coalesce(to_json(n.gender)::text, 'null') end,
                case when o.account_status is distinct from n.account_status then '"accountStatus":' || coalesce(to_json(n.account_status)::text, 'null') end,
                case when o.account_status_updated_at is distinct from n.account_status_updated_at then '"accountStatusUpdatedAt":' || coalesce((extract(epoch from n.account_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.b2b_status is distinct from n.b2b_status then '"b2bStatus":' || coalesce(to_json(n.b2b_status)::text, 'null') end,
                case when o.registration_source is distinct from n.registration_source then '"registrationSource":' || coalesce(to_json(n.registration_source)::text, 'null') end,
                case when o.subscription_status is distinct from n.subscription_status then '"subscriptionStatus":' || coalesce(to_json(n.subscription_status)::text, 'null') end,
                case when o.subscription_status_updated_at is distinct from n.subscription_status_updated_at then '"subscriptionStatusUpdatedAt":' || coalesce((extract(epoch from n.subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.sms_subscription_status is distinct from n.sms_subscription_status then '"smsSubscriptionStatus":' || coalesce(to_json(n.sms_subscription_status)::text, 'null') end,
                case when o.sms_subscription_status_updated_at is distinct from n.sms_subscription_status_updated_at then '"smsSubscriptionStatusUpdatedAt":' || coalesce((extract(epoch from n.sms_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.phone_subscription_status is distinct from n.phone_subscription_status then '"phoneSubscriptionStatus":' || coalesce(to_json(n.phone_subscription_status)::text, 'null') end,
                case when o.phone_subscription_status_updated_at is distinct from n.phone_subscription_status_updated_at then '"phoneSubscriptionStatusUpdatedAt":' || coalesce((extract(epoch from n.phone_subscription_status_updated_at) * 1000)::bigint::text, 'null') end,
                case when o.tag_ids is distinct from n.tag_ids then '"tagIds":' || coalesce(to_json(n.tag_ids)::text, 'null') end,
                case when o.customer_group_ids is distinct from n.customer_group_ids then '"customerGroupIds":' || coalesce(to_json(n.customer_group_ids)::text, 'null') end,
                case when o.customer_segment_ids is distinct from n.customer_segment_ids then '"customerSegmentIds":' || coalesce(to_json(n.customer_segment_ids)::text, 'null') end,
                case when o.addresses::text is distinct from n.addresses::text then '"addresses":' || coalesce(n.addresses::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(n.attributes::text, 'null') end,
                case when o.price_list_rules::text is distinct from n.price_list_rules::text then '"priceListRules":' || coalesce(n.price_list_rules::text, 'null') end,
                case when o.erasure_blocked_until is distinct from n.erasure_blocked_until then '"erasureBlockedUntil":' || coalesce((extract(epoch from n.erasure_blocked_until) * 1000)::bigint::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || n.deleted::text end
              ), '') as after,
              nullif(concat_ws(',',
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text end
              ), '') as former_stamps,
              nullif(concat_ws(',',
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text end
              ), '') as stamps
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant
          ) d
          where d.before is not null or d.stamps is not null
        ) r
      ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    perform write_change_parts(
      merchant, transaction_key, statement_number, is_full, '', ids, types, row_changes, befores,
      afters);
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
