-- Departures in January 2001: how late were they, per day and airport?
CREATE TABLE flights (
  departure TIMESTAMP(3),
  delay INT,
  miles INT,
  origin STRING,
  destination STRING,
  WATERMARK FOR departure AS departure - INTERVAL '5' MINUTE
) WITH (
  'connector' = 'filesystem',
  'path' = 'flights.csv',
  'format' = 'csv'
);

SELECT
  window_start,
  origin,
  COUNT(*) AS departures,
  AVG(delay) AS mean_delay,
  MAX(delay) AS worst,
  COUNT(*) FILTER (WHERE delay > 15) AS late
FROM TUMBLE(TABLE flights, DESCRIPTOR(departure), INTERVAL '6' HOUR)
WHERE origin IN ('ATL', 'ORD', 'DFW', 'LAX')
GROUP BY window_start, window_end, origin;
