-- The data set that `waterglass export --all --to parquet -o tables` wrote, for DuckDB; the other queries need it.
-- Before it: SET VARIABLE tables = 'tables';   or 's3://bucket/tables', with INSTALL httpfs; LOAD httpfs;
-- Days are those of the zone that `SET TimeZone` names, here the one of the machine.

CREATE OR REPLACE TEMP VIEW sessions AS
SELECT * EXCLUDE (day)
FROM read_parquet(getvariable('tables') || '/sessions/*/*.parquet', hive_partitioning = true);

CREATE OR REPLACE TEMP VIEW metrics AS
SELECT * EXCLUDE (day)
FROM read_parquet(getvariable('tables') || '/metrics/*/*.parquet', hive_partitioning = true);

-- What happened in each quarter of an hour; and each session once more at its end, so that one in which nothing
-- happened counts too.
CREATE OR REPLACE TEMP VIEW activity AS
SELECT
    happened.*,
    project,
    strftime(to_timestamp(ms // 900000 * 900), '%Y-%m-%d') AS day
FROM (
    SELECT * EXCLUDE (day)
    FROM read_parquet(getvariable('tables') || '/activity/*/*.parquet', hive_partitioning = true)
    UNION ALL BY NAME
    SELECT session, endMs AS ms FROM sessions
) AS happened
JOIN sessions USING (session);

-- The smallest of some values that so many of them do not exceed.
CREATE OR REPLACE TEMP MACRO share_of(items, share) AS list_aggregate(items, 'quantile_disc', share);
