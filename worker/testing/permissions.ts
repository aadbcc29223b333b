import { broadcasts } from '../broadcasts/broadcasts.table'
import { posts } from '../community/posts.table'
import type { Assurance, TeamRole } from '../contract/endpoint'
import {
  APPEARANCE_DRAFT,
  CHALLENGE_DRAFT,
  CONCERT_DRAFT,
  DISCOUNT_DRAFT,
  MISSION_DRAFT,
  POLL_DRAFT,
  PRODUCT_DRAFT,
  RELEASE_DRAFT,
  SITE_DRAFT,
  SOCIAL_POST_DRAFT,
  TIER_DRAFT,
  TRACK_DRAFT,
} from './drafts'
import { buildMp3, buildPng } from './files'
import { addChallenge, addUser, DAYS_JULY_2026, db, VERSE_FORM } from './fixtures'
import { NOON } from './seed'
import { ROLES, type Role } from './users'

/** A valid request, the status each role (ROLES in testing/users.ts) receives for it, and the assurance it needs. */
type Permission = Record<Role, number> & {
  assurance: Assurance
  body?: unknown | ((role: Role) => unknown)
  file?: { type: string; bytes: Uint8Array }
  /** Creates the resource of the path, for user `userId` if it has an owner, and returns its id. */
  createResource?: (userId: number) => Promise<string>
}

const allRoles = (status: number, body?: Permission['body']): Permission => ({
  ...(Object.fromEntries(ROLES.map((role) => [role, status])) as Record<Role, number>),
  assurance: { auth: 'visitor', roles: null, recentAuth: false },
  body,
})
/** Routes for supporters reject an administrator session with 401. */
const supportersOnly = (status: number, body?: Permission['body']): Permission => ({
  ...allRoles(401, body),
  assurance: { auth: 'user', roles: null, recentAuth: false },
  supporter: status,
  otherSupporter: status,
  expiredAdmin: status,
  banned: 403,
  bannedAdmin: 403,
})
const confirmedOnly = (status: number, body?: Permission['body']): Permission => ({
  ...supportersOnly(status, body),
  assurance: { auth: 'confirmed', roles: null, recentAuth: false },
})
/** The role `administrator` is an owner of the team. */
const teamOnly =
  (...roles: TeamRole[]) =>
  (status: number, body?: Permission['body']): Permission => ({
    ...allRoles(401, body),
    assurance: { auth: 'admin', roles, recentAuth: false },
    administrator: status,
    supporter: 403,
    otherSupporter: 403,
    banned: 403,
    bannedAdmin: 403,
  })
const owners = teamOnly('owner')
const managers = teamOnly('owner', 'manager')
const editors = teamOnly('owner', 'manager', 'editor')
const doorTeam = teamOnly('owner', 'manager', 'door')
const wholeTeam = teamOnly('owner', 'manager', 'editor', 'door')
const withRecentAuth = (permission: Permission): Permission => ({
  ...permission,
  assurance: { ...permission.assurance, recentAuth: true },
})

const SHIPPING_ADDRESS = {
  name: 'A Fan',
  line1: '1 Bay Street',
  city: 'Tampa',
  state: 'FL',
  postalCode: '33601',
  country: 'US',
}
const TOKEN = 'A'.repeat(43)
const WRONG_CREDENTIALS = { username: 'nobody', password: 'not a password' }
const MASTER_UPLOAD = { fileName: 'song.flac', sizeBytes: 8, contentType: 'audio/flac', fingerprint: 'f'.repeat(64) }
const WEBHOOK = { url: 'https://hooks.partner.example/in', events: ['order.paid'] }
const BROADCAST = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }

const SHIPPING_METHOD = {
  name: 'Standard',
  pricing: 'items',
  baseCents: 500,
  perItemCents: 100,
  bands: [],
  freeFromCents: null,
}
const SHIPPING_ZONE = { name: 'A show', kind: 'pickup', countries: [], methods: [SHIPPING_METHOD], position: 1 }
const discountFor = (role: string) => ({ ...DISCOUNT_DRAFT, code: `FOR-${role}`.slice(0, 24) })
const taxRateFor = (role: string) => ({ name: 'VAT', country: 'DE', region: role, ratePer100k: 19_000, included: true })

const newAccount = (role: Role) => ({
  username: `new-${role}`,
  email: `new-${role}@mail.example`,
  password: 'a long enough password',
})

let count = 0
const nextId = (name: string) => `${name}-${++count}`

async function addPostBy(authorId: number): Promise<string> {
  const id = nextId('post')
  await db.insert(posts).values({ id, authorId, text: 'Mine.', createdAt: NOON })
  return id
}

async function addBroadcastDraft(): Promise<string> {
  const id = nextId('draft')
  const content = { subject: 'New drop', markdown: 'Here.', text: 'Here.', html: '<p>Here.</p>' }
  await db
    .insert(broadcasts)
    .values({ id, ...content, audience: 'all', origin: 'https://fan.example', createdAt: NOON })
  return id
}

async function addOpenChallenge(): Promise<string> {
  const id = nextId('verses')
  await addChallenge(id, DAYS_JULY_2026)
  return id
}

async function addChallengeAfterVoting(): Promise<string> {
  const id = nextId('voted')
  await addChallenge(id, { finalists: ['one', 'two'] })
  return id
}

const CREDENTIAL = { id: 'aWQ', rawId: 'aWQ', type: 'public-key', clientExtensionResults: {} }
const NEW_PASSKEY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'oA' } }
const PASSKEY_ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
}

const PUBLIC_PERMISSIONS: Record<string, Permission> = {
  'GET /api/config': allRoles(200),
  'GET /api/openapi.json': allRoles(200),
  'GET /api/legal/:id': allRoles(200),
  'GET /sitemap.xml': allRoles(200),
  'GET /feed.xml': allRoles(200),
  'GET /podcast.xml': allRoles(200),
  'GET /robots.txt': allRoles(200),
  'GET /.well-known/security.txt': allRoles(200),
  'GET /manifest.webmanifest': allRoles(200),
  'GET /favicon.ico': allRoles(302),
  'GET /apple-touch-icon.png': allRoles(302),
  'GET /healthz': allRoles(200),
  'GET /media/:folder/:name': allRoles(200),
  'GET /api/tracks': allRoles(200),
  'GET /api/tracks/trending': allRoles(200),
  'GET /api/announced-releases': allRoles(200),
  'GET /api/releases': allRoles(200),
  'GET /api/releases/:slug': allRoles(200),
  // Without the address of a page.
  'GET /api/oembed': allRoles(400),
  'GET /embed/:slug': allRoles(200),
  'GET /embed/:slug/:track': allRoles(200),
  'GET /api/embed/tracks/:id/audio': allRoles(200),
  // Accepted but not counted: the listen is not signed.
  'POST /api/embed/stream': allRoles(202, { trackId: 1, listen: 'forged' }),
  'GET /api/tracks/:id/audio': allRoles(200),
  'POST /api/tracks/:id/like': supportersOnly(200),
  'DELETE /api/tracks/:id/like': supportersOnly(200),
  'POST /api/tracks/:id/play': allRoles(204, { service: 'spotify' }),
  // Accepted but not counted: no playback preceded it.
  'POST /api/tracks/stream': allRoles(202, { trackId: '1', platform: 'web' }),
  'POST /api/views': allRoles(204, { productId: 'x' }),
  'GET /api/products': allRoles(200),
  'GET /api/shop/destinations': allRoles(200),
  // No payment keys are configured here.
  'POST /api/create-payment-intent': allRoles(503, { amount: 19.99, productId: 'clip', quantity: 1 }),
  // Without the order's secret.
  'GET /api/orders/:id': allRoles(404),
  'GET /api/orders/:id/downloads': allRoles(404),
  'GET /api/download-formats': allRoles(200),
  'GET /api/library': supportersOnly(200),
  'GET /api/downloads/:token': allRoles(400),
  'POST /api/redeem': allRoles(400, { code: 'AAAA', key: TOKEN }),
  'POST /api/orders/:id/address': allRoles(404, { clientSecret: 'secret', email: 'fan@mail.example' }),
  'GET /api/account/orders': supportersOnly(200),
  // Demo mode only.
  'POST /api/test-payments/:orderId/confirm': allRoles(404, { clientSecret: 'secret', card: 'succeeds' }),
  // The events are not signed.
  'POST /api/webhooks/stripe': allRoles(400),
  'POST /api/webhooks/resend': allRoles(400),
  'POST /api/subscriptions/checkout': supportersOnly(503, { tier: 'silver' }),
  'POST /api/subscriptions/portal': supportersOnly(503),
  'GET /api/subscriptions/status': supportersOnly(200),
  'GET /api/concerts': allRoles(200),
  'GET /api/concerts/upcoming': allRoles(200),
  'GET /shows.ics': allRoles(200),
  'GET /api/concerts/:id/event.ics': allRoles(200),
  'GET /api/concerts/:id': allRoles(200),
  'POST /api/concerts/:id/going': supportersOnly(200, { named: true }),
  'DELETE /api/concerts/:id/going': supportersOnly(200),
  // The show is tomorrow.
  'POST /api/concerts/:id/check-in': confirmedOnly(410, { code: '123456' }),
  'POST /api/concerts/:id/arrivals': allRoles(410, { code: '123456' }),
  'GET /api/community/posts': allRoles(200),
  'POST /api/community/posts': confirmedOnly(201, { text: 'What a night.' }),
  'POST /api/community/pictures': { ...confirmedOnly(201), file: { type: 'image/png', bytes: buildPng(8, 8) } },
  // Other users get 404.
  'DELETE /api/community/posts/:id': { ...supportersOnly(404), supporter: 204, createResource: addPostBy },
  'POST /api/community/posts/:id/like': supportersOnly(200),
  'DELETE /api/community/posts/:id/like': supportersOnly(200),
  'POST /api/community/posts/:id/report': supportersOnly(202, {}),
  'GET /api/community/hidden': supportersOnly(200),
  'GET /api/community/exclusive': allRoles(200),
  'POST /api/cart/quote': allRoles(200, { lines: [{ variantId: 'none', quantity: 1 }] }),
  'GET /api/account/cart': supportersOnly(200),
  'POST /api/account/cart': supportersOnly(200, { lines: [] }),
  'POST /api/account/cart/merge': supportersOnly(200, { lines: [] }),
  'GET /api/account/addresses': supportersOnly(200),
  'POST /api/account/addresses': supportersOnly(200, { shippingAddress: SHIPPING_ADDRESS }),
  'DELETE /api/account/addresses/:id': supportersOnly(404),
  'POST /api/stock-alerts': allRoles(404, { variantId: 'none', email: 'fan@mail.example' }),
  'POST /api/stock-alerts/confirm': allRoles(400, { token: TOKEN }),
  'POST /api/shows/alerts': allRoles(202, { entry: 'fan@mail.example' }),
  'POST /api/shows/city-requests': allRoles(202, { entry: 'Any City' }),
  'GET /api/polls/active': allRoles(200),
  'GET /api/polls/closed': allRoles(200),
  'POST /api/polls': confirmedOnly(201, { title: 'Which?', options: [{ title: 'This' }, { title: 'That' }] }),
  'POST /api/polls/:pollId/vote': supportersOnly(200, { optionId: 'a' }),
  // Only voters may connect.
  'GET /api/polls/:pollId/live': supportersOnly(403),
  'GET /api/referrals': supportersOnly(200),
  'GET /api/points/history': supportersOnly(200),
  // The mission is not completed.
  'POST /api/missions/:id/complete': supportersOnly(409),
  'GET /api/leaderboard': allRoles(200),
  'GET /api/missions': allRoles(200),
  'GET /api/challenge': allRoles(200),
  'GET /api/challenge/current': allRoles(200),
  'GET /api/challenges/:id': allRoles(200),
  'GET /api/challenges/:id/mine': supportersOnly(200),
  'POST /api/challenge/recordings': { ...allRoles(201), file: { type: 'audio/mpeg', bytes: buildMp3(2000) } },
  // The challenge closed in May.
  'POST /api/challenges/:id/submissions': allRoles(410, { ...VERSE_FORM, recording: 'up_none' }),
  'POST /api/challenge/confirm': allRoles(400, { token: TOKEN }),
  'POST /api/challenge/withdraw': allRoles(400, { token: TOKEN }),
  // The caller has no submission.
  'DELETE /api/challenges/:id/submission': supportersOnly(404),
  'GET /api/challenge/finalists/:id/audio': allRoles(200),
  'GET /api/challenges/:id/beat': allRoles(200),
  // Voting closed in May, and administrators may not vote.
  'POST /api/challenges/:id/vote': { ...confirmedOnly(410, { finalistId: '1' }), expiredAdmin: 403 },
  'GET /api/challenges/:id/tally.csv': allRoles(200),
  'POST /api/newsletter/subscribe': allRoles(200, { email: 'fan@mail.example' }),
  'POST /api/privacy/inquiries': allRoles(202, (role: Role) => ({
    email: `${role}@mail.example`,
    kind: 'access',
    message: 'What is stored?',
  })),
  'POST /api/privacy/inquiries/confirm': allRoles(400, { token: TOKEN }),
  'GET /api/demo/mail/:id': allRoles(404),
  'POST /api/newsletter/confirm': allRoles(400, { token: TOKEN }),
  'POST /api/newsletter/unsubscribe': allRoles(400, { token: TOKEN }),
  'GET /api/newsletter/unsubscribe': allRoles(303),
  'POST /api/newsletter/preferences': allRoles(400, { token: TOKEN }),
  'PATCH /api/newsletter/preferences': allRoles(400, { token: TOKEN, city: 'Tampa' }),
  'POST /api/shows/alerts/confirm': allRoles(400, { token: TOKEN }),
  'GET /api/auth/status': allRoles(200),
  // Not configured: redirects to the login page.
  'GET /api/auth/google': allRoles(303),
  'GET /api/auth/google/callback': allRoles(303),
  'POST /api/auth/google': allRoles(503, { googleToken: 'a.b.c' }),
  'GET /api/auth/user': supportersOnly(200),
  'POST /api/auth/logout-everywhere': supportersOnly(204),
  'POST /api/auth/password/forgot': allRoles(202, { email: 'fan@mail.example' }),
  'POST /api/auth/password/reset': allRoles(400, { token: TOKEN, password: 'eleven paper boats' }),
  // The accounts have no password yet, and their sessions are fresh.
  'POST /api/auth/password/change': withRecentAuth(supportersOnly(204, { password: 'eleven paper boats' })),
  'POST /api/auth/email/verify': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/not-me': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/undo': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/resend': supportersOnly(202),
  'POST /api/auth/confirm': supportersOnly(401, { password: 'not a password' }),
  'POST /api/auth/confirm/code': confirmedOnly(202),
  'GET /api/account/passkeys': supportersOnly(200),
  'POST /api/account/passkey-options': withRecentAuth(supportersOnly(200)),
  // No challenge was issued to these browsers.
  'POST /api/account/passkeys': withRecentAuth(supportersOnly(400, { name: 'Phone', passkey: NEW_PASSKEY })),
  'PATCH /api/account/passkeys/:id': supportersOnly(404, { name: 'Phone' }),
  'DELETE /api/account/passkeys/:id': withRecentAuth(supportersOnly(404)),
  'POST /api/auth/passkey/options': allRoles(200),
  'POST /api/auth/passkey': allRoles(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/auth/confirm/passkey': supportersOnly(400, { passkey: PASSKEY_ASSERTION }),
  'GET /api/account/newsletter': supportersOnly(200),
  'DELETE /api/account/newsletter': supportersOnly(204),
  'GET /api/account': supportersOnly(200),
  'PATCH /api/account': supportersOnly(200, { leaderboardOptOut: true }),
  'GET /api/account/export': withRecentAuth(supportersOnly(200)),
  'POST /api/account/email': withRecentAuth(
    supportersOnly(202, (role: Role) => ({ email: `changed-${role}@mail.example` })),
  ),
  'DELETE /api/account': withRecentAuth(supportersOnly(401, { password: 'not a password' })),
  // Demo mode only.
  'GET /api/demo/outbox': allRoles(404),
  'POST /api/auth/signup': allRoles(201, newAccount),
  'POST /api/auth/login': allRoles(401, WRONG_CREDENTIALS),
  'POST /api/auth/logout': allRoles(204),
  'POST /api/csv-link': allRoles(400, { token: TOKEN }),
}

const ADMIN_PERMISSIONS: Record<string, Permission> = {
  'GET /api/admin/download-codes': managers(200),
  'POST /api/admin/download-codes': managers(201, { name: 'Cards', good: 'release:1', size: 2 }),
  'GET /api/admin/download-codes/:id/csv': withRecentAuth(managers(404)),
  'GET /api/admin/download-codes/:id/cards': withRecentAuth(managers(404)),
  'GET /api/admin/orders': managers(200),
  'POST /api/admin/orders/:id/reveal': withRecentAuth(managers(404)),
  'PATCH /api/admin/orders/:id': managers(404, { fulfilment: 'packed' }),
  'GET /api/admin/orders/:id': managers(404),
  'GET /api/admin/customers/:orderId': managers(404),
  'POST /api/admin/packing-slips': withRecentAuth(managers(404, { orders: ['x'] })),
  'GET /api/admin/sales': managers(200),
  'POST /api/admin/shipments': managers(404, { orders: [{ id: 'x' }] }),
  'POST /api/admin/orders/:id/refund': withRecentAuth(managers(404, { reason: 'A test' })),
  'GET /api/admin/promotion-code': managers(200),
  'POST /api/admin/promotion-code/rotate': managers(200, {}),
  'GET /api/admin/discounts': managers(200),
  'POST /api/admin/discounts': managers(201, discountFor),
  'PATCH /api/admin/discounts/:id': managers(404, discountFor('none')),
  'DELETE /api/admin/discounts/:id': managers(404),
  'POST /api/admin/discounts/:id/restore': managers(404),
  'GET /api/admin/shipping-zones': managers(200),
  'POST /api/admin/shipping-zones': managers(201, SHIPPING_ZONE),
  'PATCH /api/admin/shipping-zones/:id': managers(404, SHIPPING_ZONE),
  'DELETE /api/admin/shipping-zones/:id': managers(404),
  'POST /api/admin/shipping-zones/:id/restore': managers(404),
  'POST /api/admin/shipping-zone-order': managers(409, { ids: ['none'] }),
  'GET /api/admin/tax-rates': managers(200),
  'POST /api/admin/tax-rates': managers(201, taxRateFor),
  'PATCH /api/admin/tax-rates/:id': managers(404, taxRateFor('none')),
  'DELETE /api/admin/tax-rates/:id': managers(404),
  'POST /api/admin/tax-rates/:id/restore': managers(404),
  'GET /api/admin/shop-settings': managers(200),
  'PATCH /api/admin/shop-settings': managers(200, { currency: 'USD' }),
  'GET /api/admin/payments/parked': managers(200),
  // No event is parked.
  'POST /api/admin/payments/parked/:id/seen': managers(404),
  'GET /api/admin/concerts/:id/check-in-code': doorTeam(200),
  'POST /api/admin/concerts/:id/check-in-code/renew': doorTeam(200),
  'GET /api/admin/concerts/:id/arrivals': doorTeam(200),
  'GET /api/admin/community/posts': editors(200),
  // The number of reports is outdated.
  'POST /api/admin/community/posts/:id/keep': editors(409, { reports: 99 }),
  'POST /api/admin/community/posts/:id/hide': editors(204, { reason: 'A test' }),
  'GET /api/admin/posts': editors(200),
  // The fixture's post belongs to a supporter, not to the artist.
  'DELETE /api/admin/posts/:id': editors(404),
  'POST /api/admin/posts/:id/restore': editors(404),
  'PATCH /api/admin/posts/:id': editors(404, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/posts': editors(201, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/polls/:id/close': editors(204),
  'POST /api/admin/polls/:id/hide': editors(204),
  'POST /api/admin/polls/:id/show': editors(204),
  'POST /api/admin/polls': editors(201, POLL_DRAFT),
  // Created by a supporter.
  'PATCH /api/admin/polls/:id': editors(409, POLL_DRAFT),
  'POST /api/admin/points/:id/void': managers(200, { reason: 'A test' }),
  'GET /api/verse-submissions': managers(200),
  'POST /api/verse-submissions/:id/reveal': withRecentAuth(managers(200)),
  'GET /api/verse-submissions/:id/audio': managers(200),
  'POST /api/verse-submissions/:id/rating': managers(200, { rating: 4 }),
  'PATCH /api/verse-submissions/:id': managers(204, { shortlisted: true, note: 'Strong.' }),
  'GET /api/admin/privacy/inquiries': managers(200),
  'GET /api/admin/privacy/inquiries/:id': managers(404),
  'POST /api/admin/privacy/inquiries/:id/answer': managers(404, { answer: 'This.' }),
  'GET /api/admin/privacy/inquiries/:id/held': managers(404),
  'POST /api/admin/privacy/inquiries/:id/file': withRecentAuth(managers(404)),
  'POST /api/admin/privacy/inquiries/:id/mail-file': withRecentAuth(managers(404)),
  'POST /api/admin/privacy/inquiries/:id/erase': withRecentAuth(owners(404, { shownOtherwise: false })),
  'GET /api/admin/privacy/jobs': managers(200),
  'GET /api/admin/mail': managers(200),
  'GET /api/admin/mail/counts': managers(200),
  'POST /api/admin/mail/:id/reveal': withRecentAuth(managers(404)),
  'POST /api/admin/mail/:id/resend': managers(404),
  'POST /api/admin/mail/resend-failed': managers(200),
  'GET /api/admin/mail-stops': managers(200),
  // No address is suppressed.
  'POST /api/admin/mail-stops/:id/lift': managers(404),
  'GET /api/admin/broadcasts': managers(200),
  'GET /api/admin/broadcast-audiences': managers(200),
  'GET /api/admin/broadcasts/:id': managers(404),
  'POST /api/admin/broadcasts': managers(201, BROADCAST),
  'POST /api/admin/broadcast-preview': managers(200, BROADCAST),
  'PATCH /api/admin/broadcasts/:id': { ...managers(204, BROADCAST), createResource: addBroadcastDraft },
  'DELETE /api/admin/broadcasts/:id': { ...managers(204), createResource: addBroadcastDraft },
  'POST /api/admin/broadcasts/:id/test': {
    ...managers(202, { to: 'fan@mail.example' }),
    createResource: addBroadcastDraft,
  },
  // No subscribers.
  'POST /api/admin/broadcasts/:id/send': { ...managers(400, {}), createResource: addBroadcastDraft },
  'POST /api/admin/broadcasts/:id/cancel': managers(404),
  'POST /api/admin/login': allRoles(401, { username: 'nobody', password: 'not a password' }),
  'POST /api/admin/login/google': allRoles(400, {}),
  'POST /api/admin/login/passkey': allRoles(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/admin/confirm/passkey': wholeTeam(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/admin/logout': allRoles(204),
  'POST /api/admin/confirm/code': wholeTeam(202),
  'POST /api/admin/confirm': wholeTeam(401, { password: 'not a password' }),
  'GET /api/admin/session': wholeTeam(200),
  'GET /api/admin/overview': managers(200),
  'GET /api/admin/metrics': managers(200),
  'GET /api/admin/waiting': wholeTeam(200),
  'GET /api/admin/search': wholeTeam(200),
  'GET /api/admin/setup': owners(200),
  'PATCH /api/admin/setup': owners(204, { isHidden: true }),
  'GET /api/admin/tracks': editors(200),
  'GET /api/admin/tracks/:id/audio': editors(200),
  'POST /api/admin/tracks': editors(201, TRACK_DRAFT),
  'PATCH /api/admin/tracks/:id': editors(204, TRACK_DRAFT),
  'DELETE /api/admin/tracks/:id': withRecentAuth(editors(204)),
  'POST /api/admin/tracks/:id/restore': editors(204),
  'POST /api/admin/track-order': editors(409, { ids: ['none'] }),
  'GET /api/admin/releases': editors(200),
  'GET /api/admin/releases/:id': editors(200),
  'GET /api/admin/releases/:id/preview': editors(200),
  'POST /api/admin/releases': editors(201, RELEASE_DRAFT),
  'PATCH /api/admin/releases/:id': editors(204, { ...RELEASE_DRAFT, version: 1 }),
  'DELETE /api/admin/releases/:id': withRecentAuth(editors(204)),
  'POST /api/admin/releases/:id/restore': editors(204),
  'GET /api/admin/products': editors(200),
  'POST /api/admin/products': editors(201, PRODUCT_DRAFT),
  'PATCH /api/admin/products/:id': editors(204, PRODUCT_DRAFT),
  'DELETE /api/admin/products/:id': withRecentAuth(editors(204)),
  'POST /api/admin/products/:id/restore': editors(204),
  'POST /api/admin/product-order': editors(409, { ids: ['none'] }),
  'GET /api/admin/concerts': editors(200),
  'POST /api/admin/concerts': editors(201, CONCERT_DRAFT),
  'PATCH /api/admin/concerts/:id': editors(204, CONCERT_DRAFT),
  'DELETE /api/admin/concerts/:id': editors(204),
  'POST /api/admin/concerts/:id/restore': editors(204),
  'GET /api/admin/site': editors(200),
  'PATCH /api/admin/site': editors(204, SITE_DRAFT),
  'GET /api/admin/appearance': editors(200),
  // The version is outdated.
  'PATCH /api/admin/appearance': editors(409, APPEARANCE_DRAFT),
  'GET /api/admin/legal-texts': managers(200),
  // No such text.
  'PATCH /api/admin/legal-texts/:id': managers(404, { text: 'Any.', version: 0 }),
  'GET /api/admin/tiers': editors(200),
  // No such tier.
  'PATCH /api/admin/tiers/:id': editors(404, TIER_DRAFT),
  'GET /api/admin/social-posts': editors(200),
  'POST /api/admin/social-posts': editors(201, SOCIAL_POST_DRAFT),
  // No such post.
  'PATCH /api/admin/social-posts/:id': editors(404, SOCIAL_POST_DRAFT),
  'DELETE /api/admin/social-posts/:id': editors(404),
  'POST /api/admin/social-posts/:id/restore': editors(404),
  'POST /api/admin/social-post-order': editors(409, { ids: ['none'] }),
  'GET /api/admin/missions': editors(200),
  'POST /api/admin/missions': editors(201, MISSION_DRAFT),
  // No such mission.
  'PATCH /api/admin/missions/:id': { ...editors(404, MISSION_DRAFT), createResource: async () => 'none' },
  'POST /api/admin/missions/:id/end': { ...editors(404), createResource: async () => 'none' },
  'POST /api/admin/missions/:id/resume': { ...editors(404), createResource: async () => 'none' },
  'POST /api/admin/mission-order': editors(409, { ids: ['none'] }),
  'GET /api/admin/challenges': managers(200),
  'POST /api/admin/challenges': managers(201, CHALLENGE_DRAFT),
  // The result is published.
  'PATCH /api/admin/challenges/:id': managers(409, CHALLENGE_DRAFT),
  'DELETE /api/admin/challenges/:id': managers(409),
  'POST /api/admin/challenges/:id/move': {
    ...managers(200, { from: 'submissions' }),
    createResource: addOpenChallenge,
  },
  'POST /api/admin/challenges/:id/finalists': {
    ...managers(204, { was: [], finalists: [{ name: 'One', submissionId: null }] }),
    createResource: addOpenChallenge,
  },
  'GET /api/admin/challenges/:id/submissions': managers(200),
  'GET /api/admin/challenges/:id/listening': managers(200),
  'GET /api/admin/challenges/:id/flags': managers(200),
  // The tally is final.
  'POST /api/admin/challenges/:id/flags': managers(409, { reason: 'A test' }),
  'POST /api/admin/challenges/:id/flags/:ballot': managers(409, { keep: true, reason: 'A test' }),
  'POST /api/admin/challenges/:id/seal': { ...managers(200), createResource: addChallengeAfterVoting },
  // Not removed: a no-op.
  'POST /api/admin/challenges/:id/restore': managers(204),
  'GET /api/admin/newsletter': managers(200),
  'GET /api/admin/city-demand': editors(200),
  'GET /api/admin/polls': editors(200),
  'POST /api/admin/uploads/pictures': { ...editors(201), file: { type: 'image/png', bytes: buildPng(8, 8) } },
  // No such upload.
  'POST /api/admin/uploads/pictures/:id/:width': {
    ...editors(404),
    file: { type: 'image/png', bytes: buildPng(32, 32) },
  },
  'POST /api/admin/uploads/audio': { ...editors(201), file: { type: 'audio/mpeg', bytes: buildMp3(2000) } },
  'GET /api/admin/tracks/:id/master': editors(200),
  // No master yet, and no such upload.
  'GET /api/admin/tracks/:id/master/file': editors(404),
  'DELETE /api/admin/tracks/:id/master': withRecentAuth(editors(404)),
  'POST /api/admin/tracks/:id/master-uploads': editors(201, MASTER_UPLOAD),
  'POST /api/admin/master-uploads/:id/parts/:part': {
    ...editors(404),
    file: { type: 'application/octet-stream', bytes: new Uint8Array(8) },
  },
  'POST /api/admin/master-uploads/:id/complete': editors(404),
  'DELETE /api/admin/master-uploads/:id': editors(404),
  'GET /api/admin/supporters': managers(200),
  // User 1 is a supporter.
  'GET /api/admin/supporters/:id/points': managers(200),
  'GET /api/admin/supporters/:id': managers(200),
  'POST /api/admin/supporters/:id/reveal': withRecentAuth(managers(200)),
  'POST /api/admin/supporters/:id/points': managers(200, () => ({
    points: 5,
    reason: 'A test',
    key: crypto.randomUUID(),
  })),
  'POST /api/admin/supporters/:id/notes': managers(201, { text: 'A note' }),
  'DELETE /api/admin/supporter-notes/:id': managers(404),
  'POST /api/admin/supporters/:id/log-out': managers(204),
  'POST /api/admin/supporters/:id/ban': managers(204, { reason: 'A test' }),
  'POST /api/admin/supporters/:id/unban': managers(204),
  // User 1 is not banned.
  'POST /api/admin/supporters/:id/exclude-votes': managers(409),
  'POST /api/admin/supporters/:id/include-votes': managers(204),
  'DELETE /api/admin/supporters/:id': {
    ...withRecentAuth(owners(204)),
    createResource: async () => String((await addUser()).id),
  },
  'GET /api/admin/administrators': managers(200),
  'POST /api/admin/administrators': withRecentAuth(owners(404, { account: 'nobody@mail.example', teamRole: 'editor' })),
  'PATCH /api/admin/administrators/:id': withRecentAuth(owners(404, { teamRole: 'editor' })),
  'DELETE /api/admin/administrators/:id': withRecentAuth(owners(404)),
  'GET /api/admin/api-tokens': owners(200),
  'POST /api/admin/api-tokens': withRecentAuth(
    owners(201, { name: 'Sync', scopes: ['orders:read'], expiresInDays: 30 }),
  ),
  'DELETE /api/admin/api-tokens/:id': owners(404),
  'GET /api/admin/webhooks': owners(200),
  'POST /api/admin/webhooks': withRecentAuth(owners(201, WEBHOOK)),
  'PATCH /api/admin/webhooks/:id': withRecentAuth(owners(404, { ...WEBHOOK, enabled: true })),
  'DELETE /api/admin/webhooks/:id': owners(404),
  'POST /api/admin/webhooks/:id/rotate': withRecentAuth(owners(404)),
  'POST /api/admin/webhooks/:id/test': owners(404),
  'GET /api/admin/webhooks/:id/deliveries': owners(404),
  'POST /api/admin/webhook-deliveries/:id/replay': owners(404),
  'GET /api/admin/audit': managers(200),
  'GET /api/admin/views': wholeTeam(200),
  'POST /api/admin/views': wholeTeam(200, { list: 'supporters', name: 'Gold', search: '?tier=gold' }),
  'DELETE /api/admin/views/:id': wholeTeam(404),
  'GET /api/admin/exports': managers(200),
  'POST /api/admin/exports': withRecentAuth(managers(202, { kind: 'points' })),
  'GET /api/admin/export-columns': managers(200),
  'GET /api/admin/export-schedules': managers(200),
  'POST /api/admin/export-schedules': withRecentAuth(managers(200, { kind: 'points' })),
  'DELETE /api/admin/export-schedules/:id': managers(404),
  // No such export.
  'GET /api/admin/exports/:id/file': withRecentAuth(managers(404)),
  'GET /api/admin/imports': managers(200),
  'POST /api/admin/imports': {
    ...withRecentAuth(managers(201)),
    file: { type: 'text/csv', bytes: new TextEncoder().encode('Email,Patron Status\na@fan.example,Active patron\n') },
  },
  'GET /api/admin/contacts': managers(200),
  'GET /api/admin/imported-sales': managers(200),
  // No such import.
  'GET /api/admin/imports/:id': managers(404),
  'POST /api/admin/imports/:id/check': withRecentAuth(
    managers(404, { kind: 'patreon-members', mapping: { email: 0 }, consentAttested: false }),
  ),
  'POST /api/admin/imports/:id/start': withRecentAuth(managers(404, { run: 'run_none' })),
  'POST /api/admin/imports/:id/undo': withRecentAuth(managers(404)),
  'DELETE /api/admin/imports/:id': managers(404),
  'GET /api/admin/imports/:id/rows': managers(404),
  'GET /api/admin/imports/:id/report': withRecentAuth(managers(404)),
  'GET /api/admin/system': managers(200),
  'GET /api/admin/archives': managers(200),
  'POST /api/admin/archives': withRecentAuth(owners(202, {})),
  // No such archive.
  'GET /api/admin/archives/:id/file': withRecentAuth(owners(404)),
  'GET /api/download/golden-verse-votes': managers(200),
  'GET /complete_994_votes.csv': managers(200),
  'POST /api/email/golden-verse-csv': managers(200, { email: 'press@mail.example' }),
  'GET /api/admin/second-factor': wholeTeam(200),
  'POST /api/admin/second-factor/begin': withRecentAuth(wholeTeam(200)),
  // No secret has been set up.
  'POST /api/admin/second-factor/confirm': withRecentAuth(wholeTeam(401, { code: '123456' })),
  // No second factor is active: a no-op.
  'POST /api/admin/second-factor/end': withRecentAuth(wholeTeam(204, { code: '123456' })),
}

export const PERMISSIONS: Readonly<Record<string, Permission>> = { ...PUBLIC_PERMISSIONS, ...ADMIN_PERMISSIONS }
