-- A job as it runs in production: from Kafka, per hour, to Kafka.
CREATE TABLE orders (
  customer STRING,
  amount DECIMAL(10, 2),
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'format' = 'json'
);

CREATE TABLE revenue (
  hour_start TIMESTAMP(3),
  orders BIGINT,
  total DECIMAL(38, 2)
) WITH (
  'connector' = 'kafka',
  'topic' = 'revenue',
  'format' = 'json'
);

INSERT INTO revenue
SELECT window_start, COUNT(*), SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR))
WHERE amount > 0
GROUP BY window_start, window_end;
