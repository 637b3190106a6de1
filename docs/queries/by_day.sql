-- A line for each day, as `waterglass stats --by day` has it. Run setup.sql before.
SELECT
    day, count(*) AS sessions,
    sum(prompts) AS prompts,
    sum(calls) AS toolCalls,
    sum(errors) AS errors,
    len(flatten(list(durations))) AS timedCalls,
    list_sum(flatten(list(durations))) AS toolMs,
    share_of(flatten(list(durations)), 0.5) AS p50Ms,
    share_of(flatten(list(durations)), 0.95) AS p95Ms,
    sum(apiCalls) AS apiCalls,
    sum(input) AS input,
    sum(cacheCreation) AS cacheCreation,
    sum(cacheCreation1h) AS cacheCreation1h,
    sum(cacheRead) AS cacheRead,
    sum(output) AS output,
    bool_or(outputIsLowerBound) AS outputIsLowerBound,
    sum(usd) AS usd,
    sum(compactions) AS compactions,
    max(peakTokens) AS peakTokens,
    share_of(list(peakTokens), 0.5) AS medianPeakTokens
FROM (
    SELECT
        day, session,
        sum(prompts) AS prompts,
        sum(calls) AS calls,
        sum(errors) AS errors,
        flatten(list(durations)) AS durations,
        sum(apiCalls) AS apiCalls,
        sum(input) AS input,
        sum(cacheCreation) AS cacheCreation,
        sum(cacheCreation1h) AS cacheCreation1h,
        sum(cacheRead) AS cacheRead,
        sum(output) AS output,
        bool_or(outputIsLowerBound) AS outputIsLowerBound,
        sum(usd) AS usd,
        sum(compactions) AS compactions,
        max(peakTokens) AS peakTokens
    FROM activity
    GROUP BY day, session
)
GROUP BY day
ORDER BY day;
