/** Each query finds rows whose totals are wrong. Separate queries: D1 allows at most five terms in a UNION. */
const CHECKS = [
  'SELECT id FROM users u WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = u.id) LIMIT 5',
  'SELECT id FROM (SELECT o.id, o.votes, count(v.user_id) AS counted FROM poll_options o LEFT JOIN poll_votes v ON v.poll_id = o.poll_id AND v.option_id = o.id AND v.counted_at IS NOT NULL AND v.excluded_at IS NULL GROUP BY o.id) WHERE votes <> counted LIMIT 5',
  "SELECT poll_id FROM poll_votes v WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE user_id = v.user_id AND key = 'poll_vote:' || v.poll_id) LIMIT 5",
  `SELECT user_id FROM (SELECT user_id, count(*) AS paid FROM ledger WHERE key GLOB 'poll_vote:*' GROUP BY user_id)
   LEFT JOIN (SELECT user_id, count(*) AS votes FROM poll_votes GROUP BY user_id) USING (user_id) WHERE paid IS NOT votes LIMIT 5`,
]

/** Compares votes, counters and ledger; returns the number of the benchmark's votes. @throws Error on a difference. */
export async function checkConsistency(db: D1Database): Promise<{ votes: number }> {
  const responses = await db.batch(CHECKS.map((sql) => db.prepare(sql)))
  for (const [index, { results }] of responses.entries())
    if (results.length > 0)
      throw new Error(`Totals differ from their rows: ${CHECKS[index]}: ${JSON.stringify(results)}`)
  const row = await db.prepare("SELECT count(*) AS votes FROM poll_votes WHERE poll_id GLOB 'bench-*'").first<{
    votes: number
  }>()
  return { votes: row?.votes ?? 0 }
}
