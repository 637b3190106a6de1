-- How the scorecard judges the sessions that ended on a day, as the `metrics` of `waterglass stats --by day --json`.
-- Run setup.sql before.
SELECT
    strftime(to_timestamp(endMs // 900000 * 900), '%Y-%m-%d') AS day,
    id,
    count(*) FILTER (status = 'ok') AS ok,
    count(*) FILTER (status = 'warn') AS warn,
    count(*) FILTER (status = 'alert') AS alert,
    count(*) FILTER (status = 'unknown') AS unknown,
    count(*) FILTER (status = 'na') AS na,
    count(value) AS valued,
    share_of(list(value), 0.5) AS median
FROM metrics
JOIN sessions USING (session)
GROUP BY day, id
ORDER BY day, id;
