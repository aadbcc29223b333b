import { posts } from '../community/posts.table'
import { VERSE } from './challenges'
import { mp3, png } from './files'
import { NOON } from './furnish'
import { everybody, type Row, supporters } from './permissions'
import type { Role } from './roles'
import { db } from './rows'

const newcomer = (role: Role) => ({
  username: `new-${role}`,
  email: `new-${role}@mail.example`,
  password: 'a long enough password',
})
let posted = 0
async function ownPost(authorId: number): Promise<string> {
  const id = `own-${++posted}`
  await db.insert(posts).values({ id, authorId, text: 'Mine.', createdAt: NOON })
  return id
}
const TOKEN = 'A'.repeat(43)
const WRONG = { username: 'nobody', password: 'not a password' }

/** What visitors and supporters may do: the answer to each role when everything else about the request is right. */
export const FANS: Record<string, Row> = {
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
  'POST /api/orders/:id/address': everybody(404, { clientSecret: 'secret', email: 'fan@mail.example' }),
  'GET /api/account/orders': supporters(200),
  // Production: there is no such call.
  'POST /api/test-payments/:orderId/confirm': everybody(404, { clientSecret: 'secret', card: 'succeeds' }),
  // Not signed.
  'POST /api/webhooks/stripe': everybody(400),
  'POST /api/webhooks/resend': everybody(400),
  'POST /api/subscriptions/checkout': supporters(503, { tier: 'silver' }),
  'POST /api/subscriptions/portal': supporters(503),
  'GET /api/subscriptions/status': supporters(200),
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
  'GET /api/community/posts': everybody(200),
  'POST /api/community/posts': supporters(201, { text: 'What a night.' }),
  'POST /api/community/pictures': { ...supporters(201), file: { type: 'image/png', bytes: png(8, 8) } },
  // To everybody else it is as if there were none.
  'DELETE /api/community/posts/:id': { ...supporters(404), supporter: 204, own: ownPost },
  'POST /api/community/posts/:id/like': supporters(200),
  'DELETE /api/community/posts/:id/like': supporters(200),
  'POST /api/community/posts/:id/report': supporters(202, {}),
  'GET /api/community/hidden': supporters(200),
  'GET /api/community/exclusive': everybody(200),
  'POST /api/shows/alerts': everybody(202, { entry: 'fan@mail.example' }),
  'POST /api/shows/city-requests': everybody(202, { entry: 'Any City' }),
  'GET /api/polls/active': everybody(200),
  'GET /api/polls/closed': everybody(200),
  'POST /api/polls': supporters(201, { title: 'Which?', options: [{ title: 'This' }, { title: 'That' }] }),
  'POST /api/polls/:pollId/vote': supporters(200, { optionId: 'a' }),
  // For who has voted; nobody here has, and nobody asks for a socket.
  'GET /api/polls/:pollId/live': supporters(403),
  'GET /api/referrals': supporters(200),
  'GET /api/points/history': supporters(200),
  // Nobody here has done it.
  'POST /api/missions/:id/complete': supporters(409),
  'GET /api/leaderboard': everybody(200),
  'GET /api/missions': everybody(200),
  'GET /api/challenge': everybody(200),
  'GET /api/challenge/current': everybody(200),
  'GET /api/challenges/:id': everybody(200),
  'GET /api/challenges/:id/mine': supporters(200),
  'POST /api/challenge/recordings': { ...everybody(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  // It was over in May.
  'POST /api/challenges/:id/submissions': everybody(410, { ...VERSE, recording: 'up_none' }),
  'POST /api/challenge/withdraw': everybody(400, { token: TOKEN }),
  // Nobody here has sent one.
  'DELETE /api/challenges/:id/submission': supporters(404),
  'GET /api/challenge/finalists/:id/audio': everybody(200),
  // Nobody here has confirmed their address.
  'POST /api/challenges/:id/vote': supporters(403, { finalistId: '1' }),
  'GET /api/challenges/:id/tally.csv': everybody(200),
  'POST /api/newsletter/subscribe': everybody(200, { email: 'fan@mail.example' }),
  'POST /api/privacy/inquiries': everybody(202, (role: Role) => ({
    email: `${role}@mail.example`,
    kind: 'access',
    message: 'What is kept?',
  })),
  'POST /api/privacy/inquiries/confirm': everybody(400, { token: TOKEN }),
  'GET /api/demo/mail/:id': everybody(404),
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
  'GET /api/account/newsletter': supporters(200),
  // Nobody here has confirmed their address.
  'DELETE /api/account/newsletter': supporters(403),
  'GET /api/account': supporters(200),
  'PATCH /api/account': supporters(200, { leaderboardOptOut: true }),
  'GET /api/account/export': supporters(200),
  'DELETE /api/account': supporters(401, { password: 'not a password' }),
  // Production: there is no such call.
  'GET /api/demo/outbox': everybody(404),
  'POST /api/auth/signup': everybody(201, newcomer),
  'POST /api/auth/login': everybody(401, WRONG),
  'POST /api/auth/logout': everybody(204),
  'POST /api/csv-link': everybody(400, { token: TOKEN }),
}
