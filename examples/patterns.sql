-- Where did delays build up? A departure that was at most 15 minutes late, then two
-- or more of the same airport, each later than the one before and the last at
-- least 30 minutes late, then one that was less late: all within twelve hours.
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

SELECT origin, since, peak, flights, worst, eased
FROM flights MATCH_RECOGNIZE (
  PARTITION BY origin
  ORDER BY departure
  MEASURES
    CALM.departure AS since,
    LAST(WORSE.departure) AS peak,
    COUNT(WORSE.delay) AS flights,
    LAST(WORSE.delay) AS worst,
    EASED.departure AS eased
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (CALM WORSE{2,} EASED)
  WITHIN INTERVAL '12' HOUR
  DEFINE
    CALM AS CALM.delay <= 15,
    WORSE AS WORSE.delay > COALESCE(LAST(WORSE.delay, 1), CALM.delay),
    EASED AS LAST(WORSE.delay) >= 30 AND EASED.delay < LAST(WORSE.delay)
);
