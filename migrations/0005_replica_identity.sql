-- It has no primary key, which logical replication would use.
alter table category_product replica identity using index category_product_newest;
