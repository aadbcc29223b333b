/** Queries for inconsistent rows, by name. Most compare a stored total with the rows that it counts. */
const WRONG_TOTALS: Readonly<Record<string, string>> = {
  'users.points':
    'SELECT id FROM users u WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = u.id)',
  'poll_options.votes': `SELECT id FROM poll_options o WHERE votes <> (SELECT count(*) FROM poll_votes
    WHERE poll_id = o.poll_id AND option_id = o.id AND counted_at IS NOT NULL AND excluded_at IS NULL)`,
  'posts.likes': 'SELECT id FROM posts p WHERE likes <> (SELECT count(*) FROM post_likes WHERE post_id = p.id)',
  'tracks.likes': 'SELECT id FROM tracks t WHERE likes <> (SELECT count(*) FROM track_likes WHERE track_id = t.id)',
  'tracks.plays':
    'SELECT id FROM tracks t WHERE plays <> (SELECT coalesce(sum(plays), 0) FROM track_days WHERE track_id = t.id)',
  'challenge_finalists.votes':
    'SELECT id FROM challenge_finalists f WHERE votes <> (SELECT count(*) FROM challenge_ballots WHERE finalist_id = f.id AND excluded_for IS NULL)',
  'poll_votes without points': `SELECT poll_id || ':' || user_id AS id FROM poll_votes v
    WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE user_id = v.user_id AND key = 'poll_vote:' || v.poll_id)`,
  'product_variants.stock below zero': 'SELECT id FROM product_variants WHERE stock < 0',
  // Stock of 1,000,000: a variant has no limit (its stock is NULL).
  'products.stock': `SELECT id FROM products p WHERE stock <> (SELECT iif(count(*) > count(stock), 1000000, sum(stock))
    FROM product_variants WHERE product_id = p.id AND removed_at IS NULL)`,
  'orders.lines_cents':
    'SELECT id FROM orders o WHERE lines_cents <> (SELECT sum(quantity * unit_price_cents) FROM order_lines WHERE order_id = o.id)',
  'orders.discount_cents':
    'SELECT id FROM orders o WHERE discount_cents <> (SELECT sum(discount_cents) FROM order_lines WHERE order_id = o.id)',
  // An order holds all its units; its lines no longer hold what was restocked.
  'orders.held': `SELECT id FROM orders o
    WHERE held <> (SELECT sum(held) + iif(o.held > 0, sum(restocked_quantity), 0) FROM order_lines WHERE order_id = o.id)`,
}

/** `name: ids` for every query of WRONG_TOTALS that finds rows; empty if the data is consistent. */
export async function findWrongTotals(db: D1Database): Promise<string[]> {
  const results = await db.batch<{ id: number | string }>(Object.values(WRONG_TOTALS).map((sql) => db.prepare(sql)))
  return Object.keys(WRONG_TOTALS).flatMap((name, i) => {
    const ids = (results[i]?.results ?? []).map(({ id }) => id)
    return ids.length === 0 ? [] : [`${name}: ${ids.join(', ')}`]
  })
}

/** Units of each product: in stock, reserved or sold. Orders do not change this number. */
export async function unitsByProduct(db: D1Database): Promise<Record<string, number>> {
  const { results } = await db
    .prepare(
      'SELECT id, stock + (SELECT coalesce(sum(held), 0) FROM order_lines WHERE product_id = p.id) AS units FROM products p',
    )
    .all<{ id: string; units: number }>()
  return Object.fromEntries(results.map(({ id, units }) => [id, units]))
}
