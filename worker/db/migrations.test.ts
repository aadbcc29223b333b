import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { loadFixtures } from '../testing/fixtures'
import { migrations } from '../testing/sources'

const decisions = Object.keys(import.meta.glob('../../docs/decisions/*.md'))

const selectAll = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results
const namesOf = (sql: string) => selectAll<{ name: string }>(sql).then((rows) => rows.map(({ name }) => name))

beforeAll(async () => {
  await loadFixtures()
  await env.DB.prepare(order({ id: 'with-line' })).run()
})

/** Tables of public data: every write changes the data version. */
const PUBLIC_TABLES = [
  'bundle_items',
  'challenge_finalists',
  'challenges',
  'concerts',
  'download_files',
  'legal_texts',
  'missions',
  'poll_options',
  'polls',
  'product_images',
  'product_variants',
  'products',
  'public_images',
  'release_tracks',
  'releases',
  'shipping_zones',
  'site',
  'social_posts',
  'tiers',
  'tracks',
]

test('creates exactly these triggers', async () => {
  expect(
    await namesOf(
      "SELECT tbl_name || ': ' || name AS name FROM sqlite_master WHERE type = 'trigger' AND name NOT GLOB '*_public_*' ORDER BY 1",
    ),
  ).toEqual([
    'audit_log: audit_log_is_append_only_delete',
    'audit_log: audit_log_is_append_only_insert',
    'audit_log: audit_log_is_append_only_update',
    'bundle_items: bundle_items_add',
    'bundle_items: bundle_items_are_final',
    'bundle_items: bundle_items_remove',
    'bundle_items: bundle_items_sum_add',
    'bundle_items: bundle_items_sum_remove',
    'challenge_ballots: challenge_ballots_count',
    'challenge_ballots: challenge_ballots_move',
    'challenge_ballots: challenge_ballots_sealed_delete',
    'challenge_ballots: challenge_ballots_sealed_insert',
    'challenge_ballots: challenge_ballots_sealed_move',
    'challenge_ballots: challenge_ballots_sealed_replace',
    'challenge_ballots: challenge_ballots_sealed_update',
    'challenge_ballots: challenge_ballots_stay',
    'challenge_ballots: challenge_ballots_stay_moved',
    'challenge_ballots: challenge_ballots_uncount',
    'challenge_finalists: challenge_finalists_sealed_delete',
    'challenge_finalists: challenge_finalists_sealed_insert',
    'challenge_finalists: challenge_finalists_sealed_move',
    'challenge_finalists: challenge_finalists_sealed_replace',
    'challenge_finalists: challenge_finalists_sealed_update',
    'challenges: challenges_sealed_insert',
    'challenges: challenges_sealed_move',
    'challenges: challenges_sealed_stay',
    'challenges: challenges_stay_sealed',
    'check_ins: check_ins_are_final',
    'check_ins: check_ins_pay',
    'check_ins: check_ins_report',
    'city_requests: city_requests_add',
    'city_requests: city_requests_confirm',
    'city_requests: city_requests_remove',
    'ledger: ledger_counts_missions',
    'ledger: ledger_fulfils_missions',
    'ledger: ledger_is_append_only_delete',
    'ledger: ledger_is_append_only_update',
    'ledger: ledger_pays',
    'order_lines: order_lines_move_stock',
    'order_lines: order_lines_take_stock',
    'orders: orders_add_up',
    'orders: orders_add_up_new',
    'orders: orders_count_add',
    'orders: orders_count_change',
    'orders: orders_count_remove',
    'orders: orders_first_line',
    'orders: orders_hold_all_or_none',
    'orders: orders_hold_all_or_none_new',
    'orders: orders_move_stock',
    'orders: orders_report_payment',
    'poll_votes: poll_votes_are_final',
    'poll_votes: poll_votes_count',
    'poll_votes: poll_votes_recount',
    'poll_votes: poll_votes_uncount',
    'polls: polls_search_add',
    'polls: polls_search_change',
    'polls: polls_search_remove',
    'post_likes: post_likes_add',
    'post_likes: post_likes_remove',
    'posts: posts_drop_link',
    'posts: posts_drop_picture',
    'posts: posts_let_go',
    'posts: posts_unpay',
    'product_variants: product_variants_sum_add',
    'product_variants: product_variants_sum_change',
    'product_view_messages: product_view_messages_count',
    'products: products_first_variant',
    'release_tracks: release_tracks_date_add',
    'release_tracks: release_tracks_date_remove',
    'releases: releases_date_change',
    'releases: releases_slug_of_variants',
    'shipping_zones: shipping_zones_countries_add',
    'shipping_zones: shipping_zones_countries_change',
    'stream_reports: stream_reports_play',
    'team_members: team_members_end_tokens',
    'track_days: track_days_add',
    'track_days: track_days_change',
    'track_days: track_days_remove',
    'track_likes: track_likes_add',
    'track_likes: track_likes_remove',
    'users: users_ban_hides_content',
    'users: users_complete_profile',
    'users: users_count_add',
    'users: users_count_change',
    'users: users_enter_standings',
    'users: users_join_team',
    'users: users_join_team_new',
    'users: users_leave_team',
    'users: users_move_in_standings',
    'users: users_report_confirmation',
    'users: users_report_sign_up',
    'users: users_search_add',
    'users: users_search_change',
  ])
})

test('changes the data version with every public table', async () => {
  expect(
    await namesOf("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB '*_public_*' ORDER BY 1"),
  ).toEqual(PUBLIC_TABLES.flatMap((table) => ['delete', 'insert', 'update'].map((event) => `${table}_public_${event}`)))
})

// drizzle-kit rebuilds tables to change columns: on D1 that drops triggers and cascades to other tables' rows.
test('documents every destructive migration', () => {
  const risky = migrations.filter(({ text }) => /\bdrop\s+table\b|__new_|on\s+delete\s+(cascade|set)/i.test(text))
  const undocumented = risky.filter(({ text }) => {
    const decisionPath = /docs\/decisions\/[\w-]+\.md/.exec(text)?.[0]
    return !decisionPath || !decisions.some((path) => path.endsWith(decisionPath))
  })
  expect(undocumented.map(({ path }) => path)).toEqual([])
})

test('numbers migrations without gaps', () => {
  expect(migrations.map(({ path }) => Number(path.match(/(\d{4})_[\w-]+\.sql$/)?.[1]))).toEqual(
    migrations.map((_, i) => i),
  )
})

/** A statement that violates each CHECK. */
const VIOLATIONS: Record<string, string> = {
  posts_likes: post({ likes: -1 }),
  posts_tier: post({ tier: 'vip' }),
  supporter_days_people: 'UPDATE supporter_days SET people = -1',
  revenue_days_sums: "INSERT INTO revenue_days (day, cents, orders) VALUES ('2026-01-01', -1, 0)",
  city_demand_people: "INSERT INTO city_demand (city_key, city, people) VALUES ('a', 'A', -1)",
  uploads_kind: upload({ kind: 'program' }),
  uploads_stored: upload({ stored_at: '0' }),
  product_views_count: "INSERT INTO product_views (day, product_id, views) VALUES ('2026-07-01', 'clip', 0)",
  exports_kind: exportRow({ kind: 'passwords' }),
  exports_state: exportRow({ state: 'lost' }),
  exports_ready: exportRow({ state: 'ready' }),
  api_tokens_scopes: insert('api_tokens', apiToken({ scopes: 'all' })),
  webhooks_events: insert('webhooks', webhook({ events: 'all' })),
  webhooks_disabled: insert('webhooks', webhook({ disabled_at: 1 })),
  webhook_deliveries_state: insert('webhook_deliveries', delivery({ state: 'lost' })),
  webhook_deliveries_json: insert('webhook_deliveries', delivery({ data: '{' })),
  imports_state: insert('imports', importRow({ state: 'lost' })),
  imports_started: insert('imports', importRow({ state: 'importing' })),
  import_rows_outcome: insert('import_rows', { import_id: 'i', row: 2, outcome: 'lost' }),
  import_rows_reason: insert('import_rows', { import_id: 'i', row: 2, outcome: 'skipped' }),
  contacts_source: insert('contacts', {
    id: 'c',
    source: 'myspace',
    email: 'a@b.co',
    email_key: 'a@b.co',
    import_id: 'i',
    created_at: 0,
  }),
  imported_sales_source: insert('imported_sales', importedSale({ source: 'patreon' })),
  imported_sales_amounts: insert('imported_sales', importedSale({ quantity: 0 })),
  archives_state: insert('archives', archive({ state: 'lost' })),
  archives_ready: insert('archives', archive({ state: 'ready' })),
  csv_links_uses: "INSERT INTO csv_links (id, sender_id, expires_at, uses) SELECT 'l', id, 0, 6 FROM users",
  users_role: "UPDATE users SET role = 'owner'",
  users_tier: "UPDATE users SET tier = 'free'",
  users_points: 'UPDATE users SET points = -1',
  // In challenge 1, which is finalized, a trigger would reject the row before the CHECK runs.
  challenge_finalists_votes:
    "INSERT INTO challenge_finalists (id, challenge_id, name, position, votes) VALUES ('n', 'open', 'n', 1, -1)",
  ballot_flags_decision:
    "INSERT INTO ballot_flags (ballot_id, challenge_id, decision) SELECT id, challenge_id, 'lost' FROM challenge_ballots",
  verse_ratings_range:
    "INSERT INTO verse_ratings (submission_id, user_id, rating, rated_at) SELECT 'v', id, 6, 0 FROM users",
  concerts_times: 'UPDATE concerts SET ends_at = starts_at',
  concerts_price: 'UPDATE concerts SET price_cents = -1',
  subscribers_state:
    "INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at) VALUES ('s', 'a@b.co', 'a@b.co', 'bounced', '1', 0, 0)",
  missions_target: 'UPDATE missions SET target = 0',
  missions_points: 'UPDATE missions SET points = -1',
  poll_options_votes: 'UPDATE poll_options SET votes = -1',
  poll_options_title: `UPDATE poll_options SET title = '${'x'.repeat(81)}'`,
  polls_title: "UPDATE polls SET title = ''",
  orders_status: order({ status: 'sent' }),
  orders_amount: order({ amount_cents: 1998 }),
  orders_quantity: order({ quantity: 0, amount_cents: 0 }),
  privacy_inquiries_answer:
    "INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at, answer) VALUES ('i', 'access', 'a@b.co', 'a@b.co', 'm', 0, 0, 'a')",
  job_runs_state: "INSERT INTO job_runs (job, started_at, affected, state) VALUES ('j', 0, 0, 'lost')",
  order_refunds_amount:
    "INSERT INTO order_refunds (id, order_id, amount_cents, shipping_cents, lines, requested_at) VALUES ('r', 'with-line', 1, 2, '[]', 0)",
  order_refunds_lines:
    "INSERT INTO order_refunds (id, order_id, amount_cents, shipping_cents, lines, requested_at) VALUES ('r', 'with-line', 1, 0, '[', 0)",
  test_refunds_amount: "INSERT INTO test_refunds (id, intent_id, amount_cents) VALUES ('r', 'i', 0)",
  order_lines_quantity: 'UPDATE order_lines SET quantity = 0',
  order_lines_price: 'UPDATE order_lines SET unit_price_cents = -1',
  order_lines_discount: 'UPDATE order_lines SET discount_cents = 2000',
  order_lines_tax: 'UPDATE order_lines SET tax_cents = -1',
  order_lines_held: 'UPDATE order_lines SET held = 2',
  order_lines_refund: 'UPDATE order_lines SET refunded_cents = -1',
  order_lines_restock: 'UPDATE order_lines SET restocked_quantity = 1',
  product_variants_options: "UPDATE product_variants SET options = '{'",
  product_variants_price: 'UPDATE product_variants SET price_cents = -1',
  product_variants_minimum: 'UPDATE product_variants SET minimum_cents = 2, suggested_cents = 1',
  product_variants_stock: 'UPDATE product_variants SET stock = -1',
  product_variants_weight: 'UPDATE product_variants SET weight_grams = -1',
  bundle_items_quantity: "INSERT INTO bundle_items (bundle_variant_id, variant_id, quantity) VALUES ('x', 'clip-1', 0)",
  cart_lines_quantity:
    "INSERT INTO cart_lines (user_id, variant_id, position, quantity, updated_at) SELECT min(id), 'clip-1', 0, 100, 0 FROM users",
  cart_lines_price:
    "INSERT INTO cart_lines (user_id, variant_id, position, quantity, unit_price_cents, updated_at) SELECT min(id), 'clip-1', 0, 1, -1, 0 FROM users",
  products_price: 'UPDATE products SET price_cents = -1',
  products_stock: 'UPDATE products SET stock = -1',
  releases_kind: "UPDATE releases SET kind = 'mixtape'",
  legal_texts_id: "INSERT INTO legal_texts (id, text, updated_at) VALUES ('joke', 'x', 0)",
  shipping_zones_kind:
    "INSERT INTO shipping_zones (id, name, kind, countries, methods, position) VALUES ('z', 'z', 'moon', '[]', '[]', 1)",
  shipping_zones_json:
    "INSERT INTO shipping_zones (id, name, kind, countries, methods, position) VALUES ('z', 'z', 'shipping', '[]', '[', 1)",
  tax_rates_rate:
    "INSERT INTO tax_rates (id, name, country, region, rate_per_100k, included) VALUES ('t', 'VAT', 'DE', '', -1, 1)",
  site_single: 'UPDATE site SET id = 2',
  site_links: "UPDATE site SET links = 'not json'",
  team_members_role: "INSERT INTO team_members (user_id, role, since) SELECT min(id), 'fan', 0 FROM users",
  tiers_id: "UPDATE tiers SET id = 'vip' WHERE id = 'gold'",
  tiers_price: 'UPDATE tiers SET price_cents = -1',
  tiers_features: "UPDATE tiers SET features = '['",
  track_days_plays: "INSERT INTO track_days (track_id, day, plays) VALUES (1, '2026-01-01', -1)",
  track_masters_size: `INSERT INTO track_masters (id, track_id, file_name, fingerprint, size_bytes, content_type, created_at, updated_at)
    VALUES ('m', 1, 'a', 'f', 0, 'audio/wav', 0, 0)`,
  download_files_state: downloadFile({ state: 'lost' }),
  download_files_ready: downloadFile({ state: 'ready' }),
  download_files_parts: downloadFile({ parts: '[' }),
  download_code_batches_size:
    "INSERT INTO download_code_batches (id, name, good, size, created_at) VALUES ('b', 'B', 'track:1', 0, 0)",
  download_codes_redeemed: "INSERT INTO download_codes (hash, batch_id, position, key_hash) VALUES ('h', 'b', 1, 'k')",
  tracks_counts: 'UPDATE tracks SET likes = -1',
  audit_detail: "INSERT INTO audit_log (at, actor_id, action, detail) SELECT 0, id, 'x', 'not json' FROM users",
  standings_people: 'UPDATE standings SET people = -1',
  data_version_single: 'UPDATE data_version SET id = 2',
  attempts_count: "INSERT INTO attempts (key, count, expires_at) VALUES ('k', 0, 0)",
  mail_tokens_purpose:
    "INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at) SELECT 'h', id, 'login', 'a@b.co', 0 FROM users",
  passkeys_transports:
    "INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at) SELECT 'k', id, '', 0, 'not json', '', 0 FROM users",
  discounts_kind: discount({ kind: 'gift' }),
  discounts_value: discount({ amount_cents: 0 }),
  discounts_minimum: discount({ minimum_cents: -1 }),
  discounts_products: discount({ product_ids: 'not json' }),
  discounts_uses: discount({ max_uses: 0 }),
  payment_events_state:
    "INSERT INTO payment_events (id, type, state, delivery, received_at) VALUES ('e', 'x', 'lost', 'd', 0)",
  test_intents_status: intent({ status: 'lost' }),
  test_intents_refund: intent({ refunded_cents: 101 }),
  subscriptions_tier: subscription({ tier: 'bronze' }),
  subscriptions_status: subscription({ status: 'lost' }),
  broadcasts_audience: insert('broadcasts', broadcast({ audience: 'some' })),
  broadcasts_audience_key: insert('broadcasts', broadcast({ audience: 'city' })),
  broadcasts_state: insert('broadcasts', broadcast({ state: 'lost' })),
  outbox_state: mail({ state: 'lost' }),
  mail_stops_reason: "INSERT INTO mail_stops (hash, reason, created_at) VALUES ('h', 'bored', 0)",
  outbox_headers: mail({ headers: 'not json' }),
}

// All of these functions but insert() return a valid row, or the statement that inserts it, with the given changes.
function downloadFile(changes: Record<string, string | number>): string {
  return insert('download_files', {
    id: 'd',
    good: 'track:1',
    format: 'mp3',
    fingerprint: 'f',
    file_name: 'a',
    created_at: 0,
    ...changes,
  })
}
function post(changes: Record<string, string | number>): string {
  return insert('posts', { id: 'p', author_id: 1, text: 'x', created_at: 0, ...changes })
}
function discount(changes: Record<string, string | number>): string {
  return insert('discounts', {
    id: 'd',
    code: 'ABCD',
    kind: 'amount',
    amount_cents: 1,
    product_ids: '[]',
    created_at: 0,
    ...changes,
  })
}
function order(changes: Record<string, string | number>): string {
  return insert('orders', {
    id: 'o',
    product_id: 'clip',
    quantity: 1,
    unit_price_cents: 1999,
    amount_cents: 1999,
    status: 'paid',
    created_at: 0,
    ...changes,
  })
}
function intent(changes: Record<string, string | number>): string {
  return insert('test_intents', {
    id: 'i',
    idempotency_key: 'i',
    order_id: 'o',
    amount_cents: 100,
    created_at: 0,
    ...changes,
  })
}
function subscription(changes: Record<string, string>): string {
  return insert('subscriptions', { id: 's', user_id: 1, tier: 'gold', status: 'active', as_of: 0, ...changes })
}
function archive(changes: Record<string, string>) {
  return { id: 'a', created_at: 0, updated_at: 0, progress: '{}', ...changes }
}
function broadcast(changes: Record<string, string>) {
  return {
    id: 'b',
    subject: 's',
    markdown: '',
    text: 't',
    html: 'h',
    audience: 'all',
    origin: 'o',
    created_at: 0,
    ...changes,
  }
}
function mail(changes: Record<string, string>): string {
  return insert('outbox', {
    id: 'm',
    dedupe_key: 'm',
    kind: 'x',
    recipient: 'a@b.co',
    subject: 's',
    text: 't',
    html: 'h',
    created_at: 0,
    ...changes,
  })
}
function upload(changes: Record<string, string>): string {
  return insert('uploads', { id: 'u', kind: 'audio', owner_id: 1, created_at: 0, ...changes })
}
function exportRow(changes: Record<string, string>): string {
  return insert('exports', { id: 'e', kind: 'orders', requested_by: 1, requested_at: 0, ...changes })
}
function apiToken(changes: Record<string, string>) {
  const required = { id: 't', user_id: 1, name: 'n', hash: 'h', hint: 'abcd', scopes: '[]' }
  return { ...required, created_at: 0, expires_at: 1, ...changes }
}
function webhook(changes: Record<string, string | number>) {
  return { id: 'w', url: 'https://a.example', events: '[]', sealed_secret: 's', created_at: 0, ...changes }
}
function delivery(changes: Record<string, string>) {
  const required = { id: 'd', webhook_id: 'w', event_id: 'e', event_type: 'order.paid', data: '{}' }
  return { ...required, created_at: 0, ...changes }
}
function importRow(changes: Record<string, string>) {
  const required = { id: 'i', state: 'uploaded', file_name: 'f', headers: '[]', mapping: '{}' }
  return { ...required, requested_by: 1, created_at: 0, updated_at: 0, ...changes }
}
function importedSale(changes: Record<string, string | number>) {
  const required = { id: 's', source: 'bandcamp', external_id: 'x', item: 'i', currency: 'USD', import_id: 'i' }
  return { ...required, quantity: 1, amount_cents: 0, sold_at: 0, created_at: 0, ...changes }
}
function insert(table: string, row: Record<string, string | number>): string {
  const values = Object.values(row).map((value) => (typeof value === 'number' ? value : `'${value}'`))
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`
}

test('covers every CHECK of the schema', async () => {
  const tables = await selectAll<{ sql: string }>(
    "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%CHECK%'",
  )
  const names = tables.flatMap(({ sql }) => [...sql.matchAll(/CONSTRAINT "(\w+)" CHECK/g)].map(([, name]) => name))
  expect(names.sort()).toEqual(Object.keys(VIOLATIONS).sort())
})

for (const [name, sql] of Object.entries(VIOLATIONS))
  test(`rejects violations of ${name}`, async () => {
    await expect(env.DB.prepare(sql).run()).rejects.toThrow(`CHECK constraint failed: ${name}`)
  })

test('accepts valid rows', async () => {
  for (const sql of [order({}), mail({}), intent({}), subscription({})])
    expect((await env.DB.prepare(sql).run()).success).toBe(true)
})

test('rejects rows without their parent', async () => {
  for (const sql of [
    "INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (999, 'x', 'x', 'x', 1, 0)",
    "UPDATE poll_options SET poll_id = 'none'",
    'INSERT INTO track_likes (track_id, user_id, liked_at) SELECT 999, id, 0 FROM users',
    order({ id: 'o2', product_id: 'none' }),
  ])
    await expect(env.DB.prepare(sql).run()).rejects.toThrow('FOREIGN KEY constraint failed')
})
