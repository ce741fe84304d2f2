CREATE TABLE clicks (usr STRING, ts TIMESTAMP(3)) WITH ('connector' = 'kafka', 'topic' = 'clicks');
CREATE TABLE per_user (usr STRING, n BIGINT, PRIMARY KEY (usr) NOT ENFORCED) WITH ('connector' = 'upsert-kafka');
INSERT INTO per_user SELECT usr, COUNT(*) FROM clicks GROUP BY usr;
