CREATE TABLE taxi (ts TIMESTAMP(3), passengers INT, WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = '../data/nyc_taxi.csv', 'format' = 'csv');
SELECT window_start, window_end, SUM(passengers) AS s, AVG(passengers) AS a, MAX(passengers) AS peak, COUNT(DISTINCT passengers) AS d
FROM HOP(TABLE taxi, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '1' DAY)
GROUP BY window_start, window_end;
