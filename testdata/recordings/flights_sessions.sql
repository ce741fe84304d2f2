CREATE TABLE flights (dep TIMESTAMP(3), delay INT, miles INT, origin STRING, destination STRING,
  WATERMARK FOR dep AS dep - INTERVAL '1' MINUTE)
WITH ('connector' = 'filesystem', 'path' = '../data/flights.csv', 'format' = 'csv');
SELECT window_start, window_end, origin, COUNT(*) AS n, SUM(delay) AS delay, MIN(miles) AS lo, MAX(miles) AS hi
FROM SESSION(TABLE flights PARTITION BY origin, DESCRIPTOR(dep), INTERVAL '3' HOUR)
GROUP BY window_start, window_end, origin
HAVING COUNT(*) >= 3;
