-- Newest first with a watermark one day behind: most rows are late.
CREATE TABLE quakes (
  id STRING, `time` BIGINT, mag DOUBLE, net STRING, ts AS TO_TIMESTAMP_LTZ(`time`, 3),
  WATERMARK FOR ts AS ts - INTERVAL '1' DAY
) WITH ('connector' = 'filesystem', 'path' = '../data/earthquakes.jsonl', 'format' = 'json');
SELECT window_start, window_end, net, COUNT(*) AS n, MAX(mag) AS strongest, MIN(mag) AS weakest
FROM TUMBLE(TABLE quakes, DESCRIPTOR(ts), INTERVAL '6' HOUR)
GROUP BY window_start, window_end, net;
