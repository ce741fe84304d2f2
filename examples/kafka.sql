-- Orders per minute, from one topic to another, each count once.
SET 'execution.checkpointing.interval' = '10 s';
SET 'execution.checkpointing.dir' = 'checkpoints';
SET 'table.exec.source.idle-timeout' = '10 s';

CREATE TABLE orders (
  id STRING,
  amount DECIMAL(10, 2),
  placed TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  WATERMARK FOR placed AS placed - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = '${brokers}',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE per_minute (
  window_start TIMESTAMP_LTZ(3),
  orders BIGINT,
  amount DECIMAL(38, 2)
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders-per-minute',
  'properties.bootstrap.servers' = '${brokers}',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'orders-per-minute',
  'format' = 'json'
);

INSERT INTO per_minute
SELECT window_start, COUNT(*), SUM(amount)
FROM TUMBLE(TABLE orders, DESCRIPTOR(placed), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
