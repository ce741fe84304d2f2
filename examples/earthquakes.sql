-- The feed lists the newest event first, so event time runs backwards. The
-- watermark trails the latest event by a week: nothing is late.
CREATE TABLE quakes (
  id STRING,
  `time` BIGINT,
  mag DOUBLE,
  place STRING,
  net STRING,
  ts AS TO_TIMESTAMP_LTZ(`time`, 3),
  WATERMARK FOR ts AS ts - INTERVAL '7' DAY
) WITH (
  'connector' = 'filesystem',
  'path' = 'earthquakes.jsonl',
  'format' = 'json'
);

SELECT window_start, COUNT(*) AS quakes, MAX(mag) AS strongest
FROM TUMBLE(TABLE quakes, DESCRIPTOR(ts), INTERVAL '12' HOUR)
WHERE mag >= 2.5
GROUP BY window_start, window_end;
