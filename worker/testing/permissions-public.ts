import { posts } from '../community/posts.table'
import { VERSE } from './challenges'
import { mp3, png } from './files'
import { allRoles, type PermissionRow, supportersOnly } from './permissions'
import type { Role } from './roles'
import { db } from './rows'
import { NOON } from './seed'

const newAccount = (role: Role) => ({
  username: `new-${role}`,
  email: `new-${role}@mail.example`,
  password: 'a long enough password',
})
let postCount = 0
async function addPostBy(authorId: number): Promise<string> {
  const id = `own-${++postCount}`
  await db.insert(posts).values({ id, authorId, text: 'Mine.', createdAt: NOON })
  return id
}
const TOKEN = 'A'.repeat(43)
const WRONG_CREDENTIALS = { username: 'nobody', password: 'not a password' }

/** What visitors and supporters may do: the answer to each role when everything else about the request is right. */
export const PUBLIC_PERMISSIONS: Record<string, PermissionRow> = {
  'GET /api/config': allRoles(200),
  'GET /sitemap.xml': allRoles(200),
  'GET /robots.txt': allRoles(200),
  'GET /manifest.webmanifest': allRoles(200),
  'GET /healthz': allRoles(200),
  'GET /media/:folder/:name': allRoles(200),
  'GET /api/tracks': allRoles(200),
  'GET /api/tracks/trending': allRoles(200),
  'GET /api/tracks/:id/audio': allRoles(200),
  'POST /api/tracks/:id/like': supportersOnly(200),
  'DELETE /api/tracks/:id/like': supportersOnly(200),
  'POST /api/tracks/:id/play': allRoles(204, { service: 'spotify' }),
  // A report that no listening preceded is taken and counted nowhere.
  'POST /api/tracks/stream': allRoles(202, { trackId: '1', platform: 'web' }),
  'GET /api/products': allRoles(200),
  // No payment keys are configured here.
  'POST /api/create-payment-intent': allRoles(503, { amount: 19.99, productId: 'clip', quantity: 1 }),
  // Nobody here has the secret of an order.
  'GET /api/orders/:id': allRoles(404),
  'POST /api/orders/:id/address': allRoles(404, { clientSecret: 'secret', email: 'fan@mail.example' }),
  'GET /api/account/orders': supportersOnly(200),
  // Production: there is no such call.
  'POST /api/test-payments/:orderId/confirm': allRoles(404, { clientSecret: 'secret', card: 'succeeds' }),
  // Not signed.
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
  // To everybody else it is as if there were none.
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
  // For who has voted; nobody here has, and nobody asks for a socket.
  'GET /api/polls/:pollId/live': supportersOnly(403),
  'GET /api/referrals': supportersOnly(200),
  'GET /api/points/history': supportersOnly(200),
  // Nobody here has done it.
  'POST /api/missions/:id/complete': supportersOnly(409),
  'GET /api/leaderboard': allRoles(200),
  'GET /api/missions': allRoles(200),
  'GET /api/challenge': allRoles(200),
  'GET /api/challenge/current': allRoles(200),
  'GET /api/challenges/:id': allRoles(200),
  'GET /api/challenges/:id/mine': supportersOnly(200),
  'POST /api/challenge/recordings': { ...allRoles(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  // It was over in May.
  'POST /api/challenges/:id/submissions': allRoles(410, { ...VERSE, recording: 'up_none' }),
  'POST /api/challenge/withdraw': allRoles(400, { token: TOKEN }),
  // Nobody here has sent one.
  'DELETE /api/challenges/:id/submission': supportersOnly(404),
  'GET /api/challenge/finalists/:id/audio': allRoles(200),
  // Nobody here has confirmed their address.
  'POST /api/challenges/:id/vote': supportersOnly(403, { finalistId: '1' }),
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
  // Not configured here: it leads back to the log-in page.
  'GET /api/auth/google': allRoles(303),
  'GET /api/auth/google/callback': allRoles(303),
  'POST /api/auth/google': allRoles(503, { googleToken: 'a.b.c' }),
  'GET /api/auth/user': supportersOnly(200),
  'POST /api/auth/logout-everywhere': supportersOnly(204),
  'POST /api/auth/password/forgot': allRoles(202, { email: 'fan@mail.example' }),
  'POST /api/auth/password/reset': allRoles(400, { token: TOKEN, password: 'eleven paper boats' }),
  // These people have no password yet, and have just logged in.
  'POST /api/auth/password/change': supportersOnly(204, { password: 'eleven paper boats' }),
  'POST /api/auth/email/verify': allRoles(400, { token: TOKEN }),
  'POST /api/auth/email/resend': supportersOnly(202),
  'POST /api/auth/confirm': supportersOnly(401, { password: 'not a password' }),
  // They have no address either.
  'POST /api/auth/confirm/code': supportersOnly(409),
  'GET /api/account/newsletter': supportersOnly(200),
  // Nobody here has confirmed their address.
  'DELETE /api/account/newsletter': supportersOnly(403),
  'GET /api/account': supportersOnly(200),
  'PATCH /api/account': supportersOnly(200, { leaderboardOptOut: true }),
  'GET /api/account/export': supportersOnly(200),
  'DELETE /api/account': supportersOnly(401, { password: 'not a password' }),
  // Production: there is no such call.
  'GET /api/demo/outbox': allRoles(404),
  'POST /api/auth/signup': allRoles(201, newAccount),
  'POST /api/auth/login': allRoles(401, WRONG_CREDENTIALS),
  'POST /api/auth/logout': allRoles(204),
  'POST /api/csv-link': allRoles(400, { token: TOKEN }),
}
