-- Logical replication identifies rows by the primary key, which this table does not have.
alter table category_product replica identity using index category_product_newest;
