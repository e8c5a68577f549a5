-- Written by `npm run codegen` from the fields of Customer in schema/ and src/. Do not edit.
create or replace function customer_events(merchant uuid, records customer[]) returns table (id uuid, data text)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select r.id, row_to_json(d)::text
  from unnest(records) r, lateral (
    select
      r.id as "id",
      r.first_name as "firstName",
      r.last_name as "lastName",
      r.full_name as "fullName",
      r.email as "email",
      r.phone as "phone",
      r.note as "note",
      r.ip as "ip",
      r.user_agent as "userAgent",
      r.preferred_language as "preferredLanguage",
      r.price_list_id as "priceListId",
      r.last_price_list_id as "lastPriceListId",
      r.last_storefront_routing_id as "lastStorefrontRoutingId",
      r.sequence as "customerSequence",
      r.order_count as "orderCount",
      trim_scale(r.total_order_price) as "totalOrderPrice",
      r.is_email_verified as "isEmailVerified",
      r.is_phone_verified as "isPhoneVerified",
      (extract(epoch from r.birth_date) * 1000)::bigint as "birthDate",
      (extract(epoch from r.account_status_updated_at) * 1000)::bigint as "accountStatusUpdatedAt",
      (extract(epoch from r.email_verified_date) * 1000)::bigint as "emailVerifiedDate",
      (extract(epoch from r.phone_verified_date) * 1000)::bigint as "phoneVerifiedDate",
      (extract(epoch from r.password_update_date) * 1000)::bigint as "passwordUpdateDate",
      (extract(epoch from r.first_order_date) * 1000)::bigint as "firstOrderDate",
      (extract(epoch from r.last_order_date) * 1000)::bigint as "lastOrderDate",
      (extract(epoch from r.subscription_status_updated_at) * 1000)::bigint as "subscriptionStatusUpdatedAt",
      (extract(epoch from r.sms_subscription_status_updated_at) * 1000)::bigint as "smsSubscriptionStatusUpdatedAt",
      (extract(epoch from r.phone_subscription_status_updated_at) * 1000)::bigint as "phoneSubscriptionStatusUpdatedAt",
      r.tag_ids as "tagIds",
      r.customer_group_ids as "customerGroupIds",
      r.customer_segment_ids as "customerSegmentIds",
      r.gender as "gender",
      r.account_status as "accountStatus",
      r.b2b_status as "b2bStatus",
      r.registration_source as "registrationSource",
      r.subscription_status as "subscriptionStatus",
      r.sms_subscription_status as "smsSubscriptionStatus",
      r.phone_subscription_status as "phoneSubscriptionStatus",
      r.addresses as "addresses",
      r.attributes as "attributes",
      r.price_list_rules as "priceListRules",
      (extract(epoch from r.erasure_blocked_until) * 1000)::bigint as "erasureBlockedUntil",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.updated_at) * 1000)::bigint as "updatedAt",
      r.deleted as "deleted"
  ) d;
end $$;
