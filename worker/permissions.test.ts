import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from './testing/client'
import { CONCERT, PRODUCT, SITE, TRACK } from './testing/drafts'
import { mp3, png } from './testing/files'
import { fullHouse, namesFor } from './testing/full-house'
import { NOON } from './testing/furnish'
import { cookiesOf, ROLES, type Role } from './testing/roles'
import { fill, servedRoutes } from './testing/routes'

type Body = unknown | ((role: Role) => unknown)
/** A file, for the calls that take one. */
type File = { type: string; bytes: Uint8Array }
type Row = Record<Role, number> & { body?: Body; file?: File }

const everybody = (status: number, body?: Body): Row => ({
  visitor: status,
  supporter: status,
  other: status,
  banned: status,
  administrator: status,
  lapsed: status,
  thief: status,
  body,
})
/** An administrator's session is not a supporter's: who has only that one logs in first. */
const supporters = (status: number, body?: Body): Row => ({
  visitor: 401,
  supporter: status,
  other: status,
  banned: 403,
  administrator: 401,
  lapsed: status,
  thief: 401,
  body,
})
/** Ruling 7: 403 for who is no administrator, 401 for who has to log in (again). */
const administrators = (status: number, body?: Body): Row => ({
  visitor: 401,
  supporter: 403,
  other: 403,
  banned: 403,
  administrator: status,
  lapsed: 401,
  thief: 401,
  body,
})

const newcomer = (role: Role) => ({
  username: `new-${role}`,
  email: `new-${role}@mail.example`,
  password: 'a long enough password',
})
const TOKEN = 'A'.repeat(43)
const BROADCAST = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }
const WRONG = { username: 'nobody', password: 'not a password' }

/** Who may do what: the answer to each role when everything else about the request is right. */
const TABLE: Record<string, Row> = {
  'GET /api/config': everybody(200),
  'GET /sitemap.xml': everybody(200),
  'GET /robots.txt': everybody(200),
  'GET /manifest.webmanifest': everybody(200),
  'GET /healthz': everybody(200),
  'GET /media/:folder/:name': everybody(200),
  'GET /api/tracks': everybody(200),
  'GET /api/tracks/trending': everybody(200),
  'GET /api/tracks/:id/audio': everybody(200),
  'POST /api/tracks/:id/like': supporters(200),
  'DELETE /api/tracks/:id/like': supporters(200),
  'POST /api/tracks/:id/play': everybody(204, { service: 'spotify' }),
  // A report that no listening preceded is taken and counted nowhere.
  'POST /api/tracks/stream': everybody(202, { trackId: '1', platform: 'web' }),
  'GET /api/products': everybody(200),
  // No payment keys are configured here.
  'POST /api/create-payment-intent': everybody(503, { amount: 19.99, productId: 'clip', quantity: 1 }),
  // Nobody here has the secret of an order.
  'GET /api/orders/:id': everybody(404),
  'GET /api/account/orders': supporters(200),
  // Production: there is no such call.
  'POST /api/test-payments/:orderId/confirm': everybody(404, { clientSecret: 'secret', card: 'succeeds' }),
  // Not signed.
  'POST /api/webhooks/stripe': everybody(400),
  'POST /api/webhooks/resend': everybody(400),
  'POST /api/subscriptions/checkout': supporters(503, { tier: 'silver' }),
  'POST /api/subscriptions/portal': supporters(503),
  'GET /api/subscriptions/status': supporters(200),
  'GET /api/admin/orders': administrators(200),
  'POST /api/admin/orders/:id/reveal': administrators(404),
  'PATCH /api/admin/orders/:id': administrators(404, { fulfilment: 'packed' }),
  'POST /api/admin/orders/:id/refund': administrators(404, { reason: 'A test' }),
  'GET /api/admin/promotion-code': administrators(200),
  'POST /api/admin/promotion-code/rotate': administrators(200, {}),
  'GET /api/admin/payments/parked': administrators(200),
  'GET /api/concerts': everybody(200),
  'GET /api/concerts/upcoming': everybody(200),
  'GET /shows.ics': everybody(200),
  'GET /api/concerts/:id/event.ics': everybody(200),
  'GET /api/concerts/:id': everybody(200),
  'POST /api/concerts/:id/going': supporters(200, { named: true }),
  'DELETE /api/concerts/:id/going': supporters(200),
  // The show is tomorrow.
  'POST /api/concerts/:id/check-in': supporters(410, { code: '123456' }),
  'POST /api/concerts/:id/arrivals': everybody(410, { code: '123456' }),
  'GET /api/admin/concerts/:id/check-in-code': administrators(200),
  'POST /api/admin/concerts/:id/check-in-code/renew': administrators(200),
  'GET /api/admin/concerts/:id/arrivals': administrators(200),
  'GET /api/community/posts': everybody(200),
  'POST /api/community/posts': supporters(201, { text: 'What a night.' }),
  // Nobody here wrote it.
  'DELETE /api/community/posts/:id': supporters(404),
  'POST /api/community/posts/:id/like': supporters(200),
  'DELETE /api/community/posts/:id/like': supporters(200),
  'POST /api/community/posts/:id/report': supporters(202, {}),
  'GET /api/community/exclusive': everybody(200),
  'GET /api/admin/community/posts': administrators(200),
  'POST /api/admin/community/posts/:id/keep': administrators(204),
  'POST /api/admin/community/posts/:id/hide': administrators(204, { reason: 'A test' }),
  'POST /api/admin/community/authors/:id/ban': administrators(204, { reason: 'A test' }),
  'POST /api/admin/community/authors/:id/unban': administrators(204),
  'POST /api/admin/posts': administrators(201, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/shows/alerts': everybody(202, { entry: 'fan@mail.example' }),
  'POST /api/shows/city-requests': everybody(202, { entry: 'Any City' }),
  'GET /api/polls/active': everybody(200),
  'GET /api/polls/closed': everybody(200),
  'POST /api/polls': supporters(201, { title: 'Which?', options: [{ title: 'This' }, { title: 'That' }] }),
  'POST /api/polls/:pollId/vote': supporters(200, { optionId: 'a' }),
  // For who has voted; nobody here has, and nobody asks for a socket.
  'GET /api/polls/:pollId/live': supporters(403),
  'POST /api/admin/polls/:id/close': administrators(204),
  'POST /api/admin/polls/:id/hide': administrators(204),
  'GET /api/referrals': supporters(200),
  'GET /api/points/history': supporters(200),
  // Nobody here has done it.
  'POST /api/missions/:id/complete': supporters(409),
  'POST /api/admin/points/:id/void': administrators(200, { reason: 'A test' }),
  'GET /api/leaderboard': everybody(200),
  'GET /api/missions': everybody(200),
  'GET /api/challenge': everybody(200),
  'GET /api/verse-submissions': administrators(200),
  'POST /api/verse-submissions/:id/reveal': administrators(200),
  'POST /api/newsletter/subscribe': everybody(200, { email: 'fan@mail.example' }),
  'POST /api/privacy/inquiries': everybody(202, (role: Role) => ({
    email: `${role}@mail.example`,
    kind: 'access',
    message: 'What is kept?',
  })),
  'GET /api/admin/privacy/inquiries': administrators(200),
  'POST /api/admin/privacy/inquiries/:id/answer': administrators(404, { answer: 'This.' }),
  'GET /api/admin/privacy/jobs': administrators(200),
  'GET /api/demo/mail/:id': everybody(404),
  'GET /api/admin/mail': administrators(200),
  'GET /api/admin/mail/counts': administrators(200),
  'POST /api/admin/mail/:id/reveal': administrators(404),
  'POST /api/admin/mail/:id/resend': administrators(404),
  'GET /api/admin/mail-stops': administrators(200),
  // Nobody here is stopped.
  'POST /api/admin/mail-stops/:id/lift': administrators(404),
  'POST /api/admin/mail/resend-failed': administrators(200),
  'GET /api/admin/broadcasts': administrators(200),
  'GET /api/admin/broadcast-audiences': administrators(200),
  'GET /api/admin/broadcasts/:id': administrators(404),
  'POST /api/admin/broadcasts': administrators(201, BROADCAST),
  'POST /api/admin/broadcast-preview': administrators(200, BROADCAST),
  'PATCH /api/admin/broadcasts/:id': administrators(404, BROADCAST),
  'DELETE /api/admin/broadcasts/:id': administrators(404),
  'POST /api/admin/broadcasts/:id/test': administrators(404, { to: 'fan@mail.example' }),
  'POST /api/admin/broadcasts/:id/send': administrators(404, {}),
  'POST /api/admin/broadcasts/:id/cancel': administrators(404),
  'POST /api/newsletter/confirm': everybody(400, { token: TOKEN }),
  'POST /api/newsletter/unsubscribe': everybody(400, { token: TOKEN }),
  'GET /api/newsletter/unsubscribe': everybody(303),
  'POST /api/newsletter/preferences': everybody(400, { token: TOKEN }),
  'PATCH /api/newsletter/preferences': everybody(400, { token: TOKEN, city: 'Tampa' }),
  'POST /api/shows/alerts/confirm': everybody(400, { token: TOKEN }),
  'GET /api/auth/status': everybody(200),
  // Not configured here: it leads back to the log-in page.
  'GET /api/auth/google': everybody(303),
  'GET /api/auth/google/callback': everybody(303),
  'POST /api/auth/google': everybody(503, { googleToken: 'a.b.c' }),
  'GET /api/auth/user': supporters(200),
  'POST /api/auth/logout-everywhere': supporters(204),
  'POST /api/auth/password/forgot': everybody(202, { email: 'fan@mail.example' }),
  'POST /api/auth/password/reset': everybody(400, { token: TOKEN, password: 'eleven paper boats' }),
  // These people have no password yet, and have just logged in.
  'POST /api/auth/password/change': supporters(204, { password: 'eleven paper boats' }),
  'POST /api/auth/email/verify': everybody(400, { token: TOKEN }),
  'POST /api/auth/email/resend': supporters(202),
  'POST /api/auth/confirm': supporters(401, { password: 'not a password' }),
  // They have no address either.
  'POST /api/auth/confirm/code': supporters(409),
  'GET /api/account': supporters(200),
  'PATCH /api/account': supporters(200, { leaderboardOptOut: true }),
  'GET /api/account/export': supporters(200),
  'DELETE /api/account': supporters(401, { password: 'not a password' }),
  // Production: there is no such call.
  'GET /api/demo/outbox': everybody(404),
  'POST /api/auth/signup': everybody(201, newcomer),
  'POST /api/auth/login': everybody(401, WRONG),
  'POST /api/auth/logout': everybody(204),
  'POST /api/admin/login': everybody(401, WRONG),
  'POST /api/admin/logout': everybody(204),
  'GET /api/admin/session': administrators(200),
  'GET /api/admin/overview': administrators(200),
  'GET /api/admin/tracks': administrators(200),
  'POST /api/admin/tracks': administrators(201, TRACK),
  'PATCH /api/admin/tracks/:id': administrators(204, TRACK),
  'DELETE /api/admin/tracks/:id': administrators(204),
  'POST /api/admin/tracks/:id/restore': administrators(204),
  'GET /api/admin/products': administrators(200),
  'POST /api/admin/products': administrators(201, PRODUCT),
  // The house's only product is called otherwise.
  'PATCH /api/admin/products/:id': administrators(404, PRODUCT),
  'DELETE /api/admin/products/:id': administrators(404),
  'POST /api/admin/products/:id/restore': administrators(404),
  'GET /api/admin/concerts': administrators(200),
  'POST /api/admin/concerts': administrators(201, CONCERT),
  'PATCH /api/admin/concerts/:id': administrators(204, CONCERT),
  'DELETE /api/admin/concerts/:id': administrators(204),
  'POST /api/admin/concerts/:id/restore': administrators(204),
  'GET /api/admin/site': administrators(200),
  'PATCH /api/admin/site': administrators(204, SITE),
  'POST /api/admin/uploads/pictures': { ...administrators(201), file: { type: 'image/png', bytes: png(8, 8) } },
  // Nobody here has sent a picture of this name.
  'POST /api/admin/uploads/pictures/:id/:width': {
    ...administrators(404),
    file: { type: 'image/png', bytes: png(32, 32) },
  },
  'POST /api/admin/uploads/audio': { ...administrators(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  'GET /api/admin/supporters': administrators(200),
  // The first account is a fan's.
  'GET /api/admin/supporters/:id/points': administrators(200),
  'POST /api/admin/supporters/:id/ban': administrators(204, { reason: 'A test' }),
  'POST /api/admin/supporters/:id/unban': administrators(204),
  'GET /api/admin/administrators': administrators(200),
  'POST /api/admin/administrators': administrators(404, { email: 'nobody@mail.example' }),
  'DELETE /api/admin/administrators/:id': administrators(404),
  'GET /api/admin/audit': administrators(200),
  'GET /api/admin/exports': administrators(200),
  'POST /api/admin/exports': administrators(202, { kind: 'points' }),
  // None has been written.
  'GET /api/admin/exports/:id/file': administrators(404),
  'GET /api/download/golden-verse-votes': administrators(200),
  'GET /complete_994_votes.csv': administrators(200),
  'POST /api/email/golden-verse-csv': administrators(200, { email: 'press@mail.example' }),
  'POST /api/csv-link': everybody(400, { token: TOKEN }),
  'GET /api/admin/second-factor': administrators(200),
  'POST /api/admin/second-factor/begin': administrators(200),
  // Each of these people is new: there is no secret that the code could be of.
  'POST /api/admin/second-factor/confirm': administrators(401, { code: '123456' }),
  // Nothing to turn off, so nothing to refuse.
  'POST /api/admin/second-factor/end': administrators(204, { code: '123456' }),
}

beforeAll(fullHouse)

test('every route has its row in the table of permissions, and every row its route', () => {
  expect(Object.keys(TABLE).sort()).toEqual(
    servedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  )
})

/** Acts of an administrator that change nothing yet, or find nothing to change in these people. */
const UNWRITTEN = [
  'POST /api/admin/second-factor/begin',
  'POST /api/admin/second-factor/end',
  // A preview stores nothing.
  'POST /api/admin/broadcast-preview',
]
const acts = async () => (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<{ n: number }>())?.n ?? 0

let asked = 0

for (const [route, { body, file, ...answers }] of Object.entries(TABLE))
  test(`${route} answers each role as the table says`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const given: Record<string, number> = {}
    for (const role of ROLES) {
      const written = await acts()
      const headers = { cookie: await cookiesOf(role), 'cf-connecting-ip': `198.51.100.${++asked}` }
      const answer = await send(method, fill(path, namesFor(path)), typeof body === 'function' ? body(role) : body, {
        at: NOON,
        headers: { ...headers, ...(file && { 'content-type': file.type }) },
        raw: file?.bytes,
      })
      given[role] = answer.status
      await answer.arrayBuffer()
      const act = role === 'administrator' && answer.ok && method !== 'GET' && answers.supporter === 403
      if (act && !UNWRITTEN.includes(route)) expect(await acts(), `${route} in the audit log`).toBe(written + 1)
    }
    expect(given).toEqual(answers)
  })
