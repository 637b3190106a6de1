-- How the scorecard judges all sessions, as the `metrics` of `waterglass stats --json`. Run setup.sql before.
SELECT
    id,
    count(*) FILTER (status = 'ok') AS ok,
    count(*) FILTER (status = 'warn') AS warn,
    count(*) FILTER (status = 'alert') AS alert,
    count(*) FILTER (status = 'unknown') AS unknown,
    count(*) FILTER (status = 'na') AS na,
    count(value) AS valued,
    share_of(list(value), 0.5) AS median
FROM metrics
GROUP BY id
ORDER BY id;
