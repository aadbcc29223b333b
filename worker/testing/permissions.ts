import { broadcasts } from '../broadcasts/broadcasts.table'
import { posts } from '../community/posts.table'
import { CHALLENGE, CONCERT, MISSION, POLL, PRODUCT, SITE, SOCIAL_POST, TIER, TRACK } from './drafts'
import { mp3, png } from './files'
import { addChallenge, addUser, DAYS_JULY_2026, db, VERSE } from './fixtures'
import { NOON } from './seed'
import { ROLES, type Role } from './users'

/** A valid request and the status each role (ROLES in testing/users.ts) receives for it. */
export type Permission = Record<Role, number> & {
  body?: unknown | ((role: Role) => unknown)
  file?: { type: string; bytes: Uint8Array }
  /** Creates the resource of the path for `supporter` and returns its id. */
  createOwned?: (userId: number) => Promise<string>
}

const allRoles = (status: number, body?: Permission['body']): Permission => ({
  ...(Object.fromEntries(ROLES.map((role) => [role, status])) as Record<Role, number>),
  body,
})
/** An administrator session is no supporter session: routes for supporters answer it with 401. */
const supportersOnly = (status: number, body?: Permission['body']): Permission => ({
  ...allRoles(401, body),
  supporter: status,
  other: status,
  lapsed: status,
  banned: 403,
  expelled: 403,
})
const administratorsOnly = (status: number, body?: Permission['body']): Permission => ({
  ...allRoles(401, body),
  administrator: status,
  supporter: 403,
  other: 403,
  banned: 403,
  expelled: 403,
})

const TOKEN = 'A'.repeat(43)
const WRONG_CREDENTIALS = { username: 'nobody', password: 'not a password' }
const BROADCAST = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }

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

async function addDraft(): Promise<string> {
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

async function addVotedChallenge(): Promise<string> {
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

/** The status each role receives for a valid request. */
const PUBLIC_PERMISSIONS: Record<string, Permission> = {
  'GET /api/config': allRoles(200),
  'GET /sitemap.xml': allRoles(200),
  'GET /robots.txt': allRoles(200),
  'GET /.well-known/security.txt': allRoles(200),
  'GET /manifest.webmanifest': allRoles(200),
  'GET /healthz': allRoles(200),
  'GET /media/:folder/:name': allRoles(200),
  'GET /api/tracks': allRoles(200),
  'GET /api/tracks/trending': allRoles(200),
  'GET /api/tracks/:id/audio': allRoles(200),
  'POST /api/tracks/:id/like': supportersOnly(200),
  'DELETE /api/tracks/:id/like': supportersOnly(200),
  'POST /api/tracks/:id/play': allRoles(204, { service: 'spotify' }),
  // Accepted but not counted: no playback preceded it.
  'POST /api/tracks/stream': allRoles(202, { trackId: '1', platform: 'web' }),
  'GET /api/products': allRoles(200),
  // No payment keys are configured here.
  'POST /api/create-payment-intent': allRoles(503, { amount: 19.99, productId: 'clip', quantity: 1 }),
  // The order secret is wrong.
  'GET /api/orders/:id': allRoles(404),
  'POST /api/orders/:id/address': allRoles(404, { clientSecret: 'secret', email: 'fan@mail.example' }),
  'GET /api/account/orders': supportersOnly(200),
  // Demo mode only.
  'POST /api/test-payments/:orderId/confirm': allRoles(404, { clientSecret: 'secret', card: 'succeeds' }),
  // Unsigned.
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
  'POST /api/concerts/:id/check-in': supportersOnly(410, { code: '123456' }),
  'POST /api/concerts/:id/arrivals': allRoles(410, { code: '123456' }),
  'GET /api/community/posts': allRoles(200),
  'POST /api/community/posts': supportersOnly(201, { text: 'What a night.' }),
  'POST /api/community/pictures': { ...supportersOnly(201), file: { type: 'image/png', bytes: png(8, 8) } },
  // Other users get 404.
  'DELETE /api/community/posts/:id': { ...supportersOnly(404), supporter: 204, createOwned: addPostBy },
  'POST /api/community/posts/:id/like': supportersOnly(200),
  'DELETE /api/community/posts/:id/like': supportersOnly(200),
  'POST /api/community/posts/:id/report': supportersOnly(202, {}),
  'GET /api/community/hidden': supportersOnly(200),
  'GET /api/community/exclusive': allRoles(200),
  'POST /api/shows/alerts': allRoles(202, { entry: 'fan@mail.example' }),
  'POST /api/shows/city-requests': allRoles(202, { entry: 'Any City' }),
  'GET /api/polls/active': allRoles(200),
  'GET /api/polls/closed': allRoles(200),
  'POST /api/polls': supportersOnly(201, { title: 'Which?', options: [{ title: 'This' }, { title: 'That' }] }),
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
  'POST /api/challenge/recordings': { ...allRoles(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  // The challenge closed in May.
  'POST /api/challenges/:id/submissions': allRoles(410, { ...VERSE, recording: 'up_none' }),
  'POST /api/challenge/confirm': allRoles(400, { token: TOKEN }),
  'POST /api/challenge/withdraw': allRoles(400, { token: TOKEN }),
  // The caller has no submission.
  'DELETE /api/challenges/:id/submission': supportersOnly(404),
  'GET /api/challenge/finalists/:id/audio': allRoles(200),
  // Voting closed in May.
  'POST /api/challenges/:id/vote': supportersOnly(410, { finalistId: '1' }),
  'GET /api/challenges/:id/tally.csv': allRoles(200),
  'POST /api/newsletter/subscribe': allRoles(200, { email: 'fan@mail.example' }),
  'POST /api/privacy/inquiries': allRoles(202, (role: Role) => ({
    email: `${role}@mail.example`,
    kind: 'access',
    message: 'What is kept?',
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
  // No password yet, and a fresh session.
  'POST /api/auth/password/change': supportersOnly(204, { password: 'eleven paper boats' }),
  'POST /api/auth/email/verify': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/not-me': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/resend': supportersOnly(202),
  'POST /api/auth/confirm': supportersOnly(401, { password: 'not a password' }),
  'POST /api/auth/confirm/code': supportersOnly(202),
  'GET /api/account/passkeys': supportersOnly(200),
  'POST /api/account/passkey-options': supportersOnly(200),
  // No challenge was issued to these browsers.
  'POST /api/account/passkeys': supportersOnly(400, { name: 'Phone', passkey: NEW_PASSKEY }),
  'PATCH /api/account/passkeys/:id': supportersOnly(404, { name: 'Phone' }),
  'DELETE /api/account/passkeys/:id': supportersOnly(404),
  'POST /api/auth/passkey/options': allRoles(200),
  'POST /api/auth/passkey': allRoles(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/auth/confirm/passkey': supportersOnly(400, { passkey: PASSKEY_ASSERTION }),
  'GET /api/account/newsletter': supportersOnly(200),
  'DELETE /api/account/newsletter': supportersOnly(204),
  'GET /api/account': supportersOnly(200),
  'PATCH /api/account': supportersOnly(200, { leaderboardOptOut: true }),
  'GET /api/account/export': supportersOnly(200),
  'DELETE /api/account': supportersOnly(401, { password: 'not a password' }),
  // Demo mode only.
  'GET /api/demo/outbox': allRoles(404),
  'POST /api/auth/signup': allRoles(201, newAccount),
  'POST /api/auth/login': allRoles(401, WRONG_CREDENTIALS),
  'POST /api/auth/logout': allRoles(204),
  'POST /api/csv-link': allRoles(400, { token: TOKEN }),
}

const ADMIN_PERMISSIONS: Record<string, Permission> = {
  'GET /api/admin/orders': administratorsOnly(200),
  'POST /api/admin/orders/:id/reveal': administratorsOnly(404),
  'PATCH /api/admin/orders/:id': administratorsOnly(404, { fulfilment: 'packed' }),
  'POST /api/admin/orders/:id/refund': administratorsOnly(404, { reason: 'A test' }),
  'GET /api/admin/promotion-code': administratorsOnly(200),
  'POST /api/admin/promotion-code/rotate': administratorsOnly(200, {}),
  'GET /api/admin/payments/parked': administratorsOnly(200),
  // No event is parked.
  'POST /api/admin/payments/parked/:id/seen': administratorsOnly(404),
  'GET /api/admin/concerts/:id/check-in-code': administratorsOnly(200),
  'POST /api/admin/concerts/:id/check-in-code/renew': administratorsOnly(200),
  'GET /api/admin/concerts/:id/arrivals': administratorsOnly(200),
  'GET /api/admin/community/posts': administratorsOnly(200),
  // The report count is stale.
  'POST /api/admin/community/posts/:id/keep': administratorsOnly(409, { reports: 99 }),
  'POST /api/admin/community/posts/:id/hide': administratorsOnly(204, { reason: 'A test' }),
  'GET /api/admin/posts': administratorsOnly(200),
  // The fixture's post belongs to a supporter, not to the artist.
  'DELETE /api/admin/posts/:id': administratorsOnly(404),
  'POST /api/admin/posts/:id/restore': administratorsOnly(404),
  'GET /api/admin/taken-down-posts': administratorsOnly(200),
  'PATCH /api/admin/posts/:id': administratorsOnly(404, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/posts': administratorsOnly(201, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/polls/:id/close': administratorsOnly(204),
  'POST /api/admin/polls/:id/hide': administratorsOnly(204),
  'POST /api/admin/polls/:id/show': administratorsOnly(204),
  'POST /api/admin/polls': administratorsOnly(201, POLL),
  // Created by a supporter.
  'PATCH /api/admin/polls/:id': administratorsOnly(409, POLL),
  'POST /api/admin/points/:id/void': administratorsOnly(200, { reason: 'A test' }),
  'GET /api/verse-submissions': administratorsOnly(200),
  'POST /api/verse-submissions/:id/reveal': administratorsOnly(200),
  'GET /api/verse-submissions/:id/audio': administratorsOnly(200),
  'PATCH /api/verse-submissions/:id': administratorsOnly(204, { shortlisted: true, note: 'Strong.' }),
  'GET /api/admin/privacy/inquiries': administratorsOnly(200),
  'POST /api/admin/privacy/inquiries/:id/answer': administratorsOnly(404, { answer: 'This.' }),
  'GET /api/admin/privacy/inquiries/:id/held': administratorsOnly(404),
  'POST /api/admin/privacy/inquiries/:id/file': administratorsOnly(404),
  'POST /api/admin/privacy/inquiries/:id/mail-file': administratorsOnly(404),
  'POST /api/admin/privacy/inquiries/:id/erase': administratorsOnly(404, { shownOtherwise: false }),
  'GET /api/admin/privacy/jobs': administratorsOnly(200),
  'GET /api/admin/mail': administratorsOnly(200),
  'GET /api/admin/mail/counts': administratorsOnly(200),
  'POST /api/admin/mail/:id/reveal': administratorsOnly(404),
  'POST /api/admin/mail/:id/resend': administratorsOnly(404),
  'POST /api/admin/mail/resend-failed': administratorsOnly(200),
  'GET /api/admin/mail-stops': administratorsOnly(200),
  // No address is suppressed.
  'POST /api/admin/mail-stops/:id/lift': administratorsOnly(404),
  'GET /api/admin/broadcasts': administratorsOnly(200),
  'GET /api/admin/broadcast-audiences': administratorsOnly(200),
  'GET /api/admin/broadcasts/:id': administratorsOnly(404),
  'POST /api/admin/broadcasts': administratorsOnly(201, BROADCAST),
  'POST /api/admin/broadcast-preview': administratorsOnly(200, BROADCAST),
  'PATCH /api/admin/broadcasts/:id': { ...administratorsOnly(204, BROADCAST), createOwned: addDraft },
  'DELETE /api/admin/broadcasts/:id': { ...administratorsOnly(204), createOwned: addDraft },
  'POST /api/admin/broadcasts/:id/test': {
    ...administratorsOnly(202, { to: 'fan@mail.example' }),
    createOwned: addDraft,
  },
  // No subscribers.
  'POST /api/admin/broadcasts/:id/send': { ...administratorsOnly(400, {}), createOwned: addDraft },
  'POST /api/admin/broadcasts/:id/cancel': administratorsOnly(404),
  'POST /api/admin/login': allRoles(401, { username: 'nobody', password: 'not a password' }),
  'POST /api/admin/login/passkey': allRoles(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/admin/confirm/passkey': administratorsOnly(400, { passkey: PASSKEY_ASSERTION }),
  'POST /api/admin/logout': allRoles(204),
  'GET /api/admin/session': administratorsOnly(200),
  'GET /api/admin/overview': administratorsOnly(200),
  'GET /api/admin/tracks': administratorsOnly(200),
  'POST /api/admin/tracks': administratorsOnly(201, TRACK),
  'PATCH /api/admin/tracks/:id': administratorsOnly(204, TRACK),
  'DELETE /api/admin/tracks/:id': administratorsOnly(204),
  'POST /api/admin/tracks/:id/restore': administratorsOnly(204),
  'GET /api/admin/products': administratorsOnly(200),
  'POST /api/admin/products': administratorsOnly(201, PRODUCT),
  'PATCH /api/admin/products/:id': administratorsOnly(204, PRODUCT),
  'DELETE /api/admin/products/:id': administratorsOnly(204),
  'POST /api/admin/products/:id/restore': administratorsOnly(204),
  'GET /api/admin/concerts': administratorsOnly(200),
  'POST /api/admin/concerts': administratorsOnly(201, CONCERT),
  'PATCH /api/admin/concerts/:id': administratorsOnly(204, CONCERT),
  'DELETE /api/admin/concerts/:id': administratorsOnly(204),
  'POST /api/admin/concerts/:id/restore': administratorsOnly(204),
  'GET /api/admin/site': administratorsOnly(200),
  'PATCH /api/admin/site': administratorsOnly(204, SITE),
  'GET /api/admin/tiers': administratorsOnly(200),
  // No such tier.
  'PATCH /api/admin/tiers/:id': administratorsOnly(404, TIER),
  'GET /api/admin/social-posts': administratorsOnly(200),
  'POST /api/admin/social-posts': administratorsOnly(201, SOCIAL_POST),
  // No such post.
  'PATCH /api/admin/social-posts/:id': administratorsOnly(404, SOCIAL_POST),
  'DELETE /api/admin/social-posts/:id': administratorsOnly(404),
  'POST /api/admin/social-posts/:id/restore': administratorsOnly(404),
  'GET /api/admin/missions': administratorsOnly(200),
  'POST /api/admin/missions': administratorsOnly(201, MISSION),
  // No such mission.
  'PATCH /api/admin/missions/:id': { ...administratorsOnly(404, MISSION), createOwned: async () => 'none' },
  'POST /api/admin/missions/:id/end': { ...administratorsOnly(404), createOwned: async () => 'none' },
  'POST /api/admin/missions/:id/resume': { ...administratorsOnly(404), createOwned: async () => 'none' },
  'GET /api/admin/challenges': administratorsOnly(200),
  'POST /api/admin/challenges': administratorsOnly(201, CHALLENGE),
  // The result is published.
  'PATCH /api/admin/challenges/:id': administratorsOnly(409, CHALLENGE),
  'DELETE /api/admin/challenges/:id': administratorsOnly(409),
  'POST /api/admin/challenges/:id/move': {
    ...administratorsOnly(200, { from: 'submissions' }),
    createOwned: addOpenChallenge,
  },
  'POST /api/admin/challenges/:id/finalists': {
    ...administratorsOnly(204, { was: [], finalists: [{ name: 'One', submissionId: null }] }),
    createOwned: addOpenChallenge,
  },
  'GET /api/admin/challenges/:id/flags': administratorsOnly(200),
  // The tally is final.
  'POST /api/admin/challenges/:id/flags': administratorsOnly(409, { reason: 'A test' }),
  'POST /api/admin/challenges/:id/flags/:ballot': administratorsOnly(409, { keep: true, reason: 'A test' }),
  'POST /api/admin/challenges/:id/seal': { ...administratorsOnly(200), createOwned: addVotedChallenge },
  // Not removed: a no-op.
  'POST /api/admin/challenges/:id/restore': administratorsOnly(204),
  'GET /api/admin/newsletter': administratorsOnly(200),
  'GET /api/admin/city-demand': administratorsOnly(200),
  'GET /api/admin/polls': administratorsOnly(200),
  'POST /api/admin/uploads/pictures': { ...administratorsOnly(201), file: { type: 'image/png', bytes: png(8, 8) } },
  // No such upload.
  'POST /api/admin/uploads/pictures/:id/:width': {
    ...administratorsOnly(404),
    file: { type: 'image/png', bytes: png(32, 32) },
  },
  'POST /api/admin/uploads/audio': { ...administratorsOnly(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  'GET /api/admin/supporters': administratorsOnly(200),
  // User 1 is a supporter.
  'GET /api/admin/supporters/:id/points': administratorsOnly(200),
  'POST /api/admin/supporters/:id/ban': administratorsOnly(204, { reason: 'A test' }),
  'POST /api/admin/supporters/:id/unban': administratorsOnly(204),
  // User 1 is not banned.
  'POST /api/admin/supporters/:id/exclude-votes': administratorsOnly(409),
  'POST /api/admin/supporters/:id/include-votes': administratorsOnly(204),
  'DELETE /api/admin/supporters/:id': {
    ...administratorsOnly(204),
    createOwned: async () => String((await addUser()).id),
  },
  'GET /api/admin/administrators': administratorsOnly(200),
  'POST /api/admin/administrators': administratorsOnly(404, { email: 'nobody@mail.example' }),
  'DELETE /api/admin/administrators/:id': administratorsOnly(404),
  'GET /api/admin/audit': administratorsOnly(200),
  'GET /api/admin/exports': administratorsOnly(200),
  'POST /api/admin/exports': administratorsOnly(202, { kind: 'points' }),
  // No such export.
  'GET /api/admin/exports/:id/file': administratorsOnly(404),
  'GET /api/download/golden-verse-votes': administratorsOnly(200),
  'GET /complete_994_votes.csv': administratorsOnly(200),
  'POST /api/email/golden-verse-csv': administratorsOnly(200, { email: 'press@mail.example' }),
  'GET /api/admin/second-factor': administratorsOnly(200),
  'POST /api/admin/second-factor/begin': administratorsOnly(200),
  // No secret has been set up.
  'POST /api/admin/second-factor/confirm': administratorsOnly(401, { code: '123456' }),
  // No second factor is active.
  'POST /api/admin/second-factor/end': administratorsOnly(204, { code: '123456' }),
}

export const PERMISSIONS: Readonly<Record<string, Permission>> = { ...PUBLIC_PERMISSIONS, ...ADMIN_PERMISSIONS }
