-- Orders per city.

set 'table.local-time-zone'='UTC';
set 'parallelism.default'='2';
create table orders(id BIGINT, city string, amount decimal(10,2), -- in euros
 tags array<string>, props map<string,int>, ts timestamp(3),
 watermark for ts as ts-interval '5' second, primary key(id) not enforced) with('connector'='filesystem','path'='orders.csv','format'='csv');


create view big as select * from orders where amount>100;
select city,count(*) as n,sum(amount) filter(where amount>-1) as total, -- the sum
 case when count(*)>10 then 'many' else 'few' end as size, max(amount) over (partition by city order by ts rows between 3 preceding and current row) m
from table(tumble(table orders,descriptor(ts),interval '5' minutes)) /* a
table */ left join cities /*+ OPTIONS('path'='x.csv') */ c on orders.city=c.name and c.valid between 1 and 2 and c.country='DE'
where amount is distinct from 3 and (city in('a','b') or city like 'x%' or exists(select 1 from t where t.a=orders.id))
group by city,window_start, window_end having count(*)>1 order by n desc limit 10;
execute statement set begin insert into a select /*+ STATE_TTL('orders'='1d') */ id,- amount from orders; insert into b(x,y) values(1,2),(3,-4); end;
with a as(select 1 x),b as(select 2 y from some_table_with_a_long_name where the_condition_is_also_long = 'yes' and more) select * from a union all select * from b;
