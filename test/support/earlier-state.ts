/**
 * By these rows migrate recognizes a database from before the first release: the first and the last of the migrations
 * that the baseline has replaced.
 */
export const EARLIER_STATE = `
  create schema drizzle;
  create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  insert into drizzle.__drizzle_migrations (hash, created_at) values
    ('8fe64774eb951b8b12c84353a5904fc899eeccdaa84d53b87ac5858e2e227cb2', 1795228030746),
    ('5b49315ee03c25a5419d815b891977aa75469b7abb8c426737e1bb60d0bdc656', 1795316354634);
  create table merchant (name text);
  insert into merchant values ('Of before');
`;
