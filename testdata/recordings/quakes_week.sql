-- The same feed with a watermark eight days behind: nothing is late.
CREATE TABLE quakes (
  id STRING, `time` BIGINT, mag DOUBLE, net STRING, geometry ROW<type STRING>, ts AS TO_TIMESTAMP_LTZ(`time`, 3),
  WATERMARK FOR ts AS ts - INTERVAL '8' DAY
) WITH ('connector' = 'filesystem', 'path' = '../data/earthquakes.jsonl', 'format' = 'json');
SELECT window_start, net, geometry.type AS shape, COUNT(*) AS n, COUNT(mag) AS rated, MAX(mag) AS strongest
FROM HOP(TABLE quakes, DESCRIPTOR(ts), INTERVAL '12' HOUR, INTERVAL '1' DAY)
WHERE mag > 1 OR mag IS NULL
GROUP BY window_start, window_end, net, geometry.type;
