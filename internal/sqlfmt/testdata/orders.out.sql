-- Orders per city.

SET 'table.local-time-zone' = 'UTC';
SET 'parallelism.default' = '2';
CREATE TABLE orders (
  id BIGINT,
  city STRING,
  amount DECIMAL(10, 2), -- in euros
  tags ARRAY<STRING>,
  props MAP<STRING, INT>,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'filesystem',
  'path' = 'orders.csv',
  'format' = 'csv'
);

CREATE VIEW big AS SELECT * FROM orders WHERE amount > 100;
SELECT
  city,
  count(*) AS n,
  sum(amount) FILTER (WHERE amount > -1) AS total, -- the sum
  CASE WHEN count(*) > 10 THEN 'many' ELSE 'few' END AS size,
  max(amount) OVER (PARTITION BY city ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) m
FROM TABLE(tumble(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTES)) /* a
table */
LEFT JOIN cities /*+ OPTIONS('path' = 'x.csv') */ c
  ON orders.city = c.name AND c.valid BETWEEN 1 AND 2 AND c.country = 'DE'
WHERE amount IS DISTINCT FROM 3
  AND (city IN ('a', 'b') OR city LIKE 'x%' OR EXISTS (SELECT 1 FROM t WHERE t.a = orders.id))
GROUP BY city, window_start, window_end
HAVING count(*) > 1
ORDER BY n DESC
LIMIT 10;
EXECUTE STATEMENT SET BEGIN
  INSERT INTO a SELECT /*+ STATE_TTL('orders' = '1d') */ id, - amount FROM orders;
  INSERT INTO b (x, y) VALUES (1, 2), (3, -4);
END;
WITH a AS (SELECT 1 x),
b AS (
  SELECT 2 y FROM some_table_with_a_long_name WHERE the_condition_is_also_long = 'yes' AND more
)
SELECT *
FROM a
UNION ALL
SELECT *
FROM b;
