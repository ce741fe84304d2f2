CREATE TABLE flights (dep TIMESTAMP(3), delay INT, miles INT, origin STRING, destination STRING)
WITH ('connector' = 'filesystem', 'path' = '../data/flights.csv', 'format' = 'csv');
SELECT origin, COUNT(*) AS n, AVG(delay) AS mean, SUM(CAST(miles AS BIGINT)) AS miles, COUNT(DISTINCT destination) AS places
FROM flights WHERE delay > 0 GROUP BY origin HAVING COUNT(*) > 5;
