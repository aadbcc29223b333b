import { broadcasts } from '../broadcasts/broadcasts.table'
import { addChallenge, DAYS_OF_JULY } from './challenges'
import { CHALLENGE, CONCERT, MISSION, POLL, PRODUCT, SITE, SOCIAL_POST, TIER, TRACK } from './drafts'
import { mp3, png } from './files'
import { NOON } from './furnish'
import { administrators, everybody, type Row } from './permissions'
import { addUser, db } from './rows'

let drafts = 0
async function draft(): Promise<string> {
  const id = `draft-${++drafts}`
  const words = { subject: 'New drop', markdown: 'Here.', text: 'Here.', html: '<p>Here.</p>' }
  await db.insert(broadcasts).values({ id, ...words, audience: 'all', origin: 'https://fan.example', createdAt: NOON })
  return id
}
const challengeOf = (name: string) => `${name}-${++drafts}`
async function takingVerses(): Promise<string> {
  const id = challengeOf('verses')
  await addChallenge(id, DAYS_OF_JULY)
  return id
}
async function votedIn(): Promise<string> {
  const id = challengeOf('voted')
  await addChallenge(id, { finalists: ['one', 'two'] })
  return id
}
const BROADCAST = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }

/** What administrators alone may do, and who is told what at their door. */
export const DESK: Record<string, Row> = {
  'GET /api/admin/orders': administrators(200),
  'POST /api/admin/orders/:id/reveal': administrators(404),
  'PATCH /api/admin/orders/:id': administrators(404, { fulfilment: 'packed' }),
  'POST /api/admin/orders/:id/refund': administrators(404, { reason: 'A test' }),
  'GET /api/admin/promotion-code': administrators(200),
  'POST /api/admin/promotion-code/rotate': administrators(200, {}),
  'GET /api/admin/payments/parked': administrators(200),
  // Nothing is on that list.
  'POST /api/admin/payments/parked/:id/seen': administrators(404),
  'GET /api/admin/concerts/:id/check-in-code': administrators(200),
  'POST /api/admin/concerts/:id/check-in-code/renew': administrators(200),
  'GET /api/admin/concerts/:id/arrivals': administrators(200),
  'GET /api/admin/community/posts': administrators(200),
  // Nobody has seen so many.
  'POST /api/admin/community/posts/:id/keep': administrators(409, { reports: 99 }),
  'POST /api/admin/community/posts/:id/hide': administrators(204, { reason: 'A test' }),
  'GET /api/admin/posts': administrators(200),
  // The post here is a supporter's: it is hidden, not taken down.
  'DELETE /api/admin/posts/:id': administrators(404),
  'POST /api/admin/posts/:id/restore': administrators(404),
  'GET /api/admin/taken-down-posts': administrators(200),
  'PATCH /api/admin/posts/:id': administrators(404, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/posts': administrators(201, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/polls/:id/close': administrators(204),
  'POST /api/admin/polls/:id/hide': administrators(204),
  'POST /api/admin/polls/:id/show': administrators(204),
  'POST /api/admin/polls': administrators(201, POLL),
  // Not the artist's.
  'PATCH /api/admin/polls/:id': administrators(409, POLL),
  'POST /api/admin/points/:id/void': administrators(200, { reason: 'A test' }),
  'GET /api/verse-submissions': administrators(200),
  'POST /api/verse-submissions/:id/reveal': administrators(200),
  'GET /api/verse-submissions/:id/audio': administrators(200),
  'PATCH /api/verse-submissions/:id': administrators(204, { shortlisted: true, note: 'Strong.' }),
  'GET /api/admin/privacy/inquiries': administrators(200),
  'POST /api/admin/privacy/inquiries/:id/answer': administrators(404, { answer: 'This.' }),
  'GET /api/admin/privacy/inquiries/:id/held': administrators(404),
  'POST /api/admin/privacy/inquiries/:id/file': administrators(404),
  'POST /api/admin/privacy/inquiries/:id/mail-file': administrators(404),
  'POST /api/admin/privacy/inquiries/:id/erase': administrators(404, { shownOtherwise: false }),
  'GET /api/admin/privacy/jobs': administrators(200),
  'GET /api/admin/mail': administrators(200),
  'GET /api/admin/mail/counts': administrators(200),
  'POST /api/admin/mail/:id/reveal': administrators(404),
  'POST /api/admin/mail/:id/resend': administrators(404),
  'POST /api/admin/mail/resend-failed': administrators(200),
  'GET /api/admin/mail-stops': administrators(200),
  // Nobody here is stopped.
  'POST /api/admin/mail-stops/:id/lift': administrators(404),
  'GET /api/admin/broadcasts': administrators(200),
  'GET /api/admin/broadcast-audiences': administrators(200),
  'GET /api/admin/broadcasts/:id': administrators(404),
  'POST /api/admin/broadcasts': administrators(201, BROADCAST),
  'POST /api/admin/broadcast-preview': administrators(200, BROADCAST),
  'PATCH /api/admin/broadcasts/:id': { ...administrators(204, BROADCAST), own: draft },
  'DELETE /api/admin/broadcasts/:id': { ...administrators(204), own: draft },
  'POST /api/admin/broadcasts/:id/test': { ...administrators(202, { to: 'fan@mail.example' }), own: draft },
  // Nobody has subscribed.
  'POST /api/admin/broadcasts/:id/send': { ...administrators(400, {}), own: draft },
  'POST /api/admin/broadcasts/:id/cancel': administrators(404),
  'POST /api/admin/login': everybody(401, { username: 'nobody', password: 'not a password' }),
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
  'PATCH /api/admin/products/:id': administrators(204, PRODUCT),
  'DELETE /api/admin/products/:id': administrators(204),
  'POST /api/admin/products/:id/restore': administrators(204),
  'GET /api/admin/concerts': administrators(200),
  'POST /api/admin/concerts': administrators(201, CONCERT),
  'PATCH /api/admin/concerts/:id': administrators(204, CONCERT),
  'DELETE /api/admin/concerts/:id': administrators(204),
  'POST /api/admin/concerts/:id/restore': administrators(204),
  'GET /api/admin/site': administrators(200),
  'PATCH /api/admin/site': administrators(204, SITE),
  'GET /api/admin/tiers': administrators(200),
  // There is no tier of this name.
  'PATCH /api/admin/tiers/:id': administrators(404, TIER),
  'GET /api/admin/social-posts': administrators(200),
  'POST /api/admin/social-posts': administrators(201, SOCIAL_POST),
  // Nor a post.
  'PATCH /api/admin/social-posts/:id': administrators(404, SOCIAL_POST),
  'DELETE /api/admin/social-posts/:id': administrators(404),
  'POST /api/admin/social-posts/:id/restore': administrators(404),
  'GET /api/admin/missions': administrators(200),
  'POST /api/admin/missions': administrators(201, MISSION),
  // Nor a mission.
  'PATCH /api/admin/missions/:id': { ...administrators(404, MISSION), own: async () => 'none' },
  'POST /api/admin/missions/:id/end': { ...administrators(404), own: async () => 'none' },
  'POST /api/admin/missions/:id/resume': { ...administrators(404), own: async () => 'none' },
  'GET /api/admin/challenges': administrators(200),
  'POST /api/admin/challenges': administrators(201, CHALLENGE),
  // Its result is public, and its days are over.
  'PATCH /api/admin/challenges/:id': administrators(409, CHALLENGE),
  'DELETE /api/admin/challenges/:id': administrators(409),
  'POST /api/admin/challenges/:id/move': { ...administrators(200, { from: 'submissions' }), own: takingVerses },
  'POST /api/admin/challenges/:id/finalists': {
    ...administrators(204, { was: [], finalists: [{ name: 'One', submissionId: null }] }),
    own: takingVerses,
  },
  'GET /api/admin/challenges/:id/flags': administrators(200),
  // Its votes are fixed.
  'POST /api/admin/challenges/:id/flags': administrators(409, { reason: 'A test' }),
  'POST /api/admin/challenges/:id/flags/:ballot': administrators(409, { keep: true, reason: 'A test' }),
  'POST /api/admin/challenges/:id/seal': { ...administrators(200), own: votedIn },
  // Nothing has changed: it is still there.
  'POST /api/admin/challenges/:id/restore': administrators(204),
  'GET /api/admin/newsletter': administrators(200),
  'GET /api/admin/city-demand': administrators(200),
  'GET /api/admin/polls': administrators(200),
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
  'DELETE /api/admin/supporters/:id': { ...administrators(204), own: async () => String((await addUser()).id) },
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
  'GET /api/admin/second-factor': administrators(200),
  'POST /api/admin/second-factor/begin': administrators(200),
  // Each of these people is new: there is no secret that the code could be of.
  'POST /api/admin/second-factor/confirm': administrators(401, { code: '123456' }),
  // Nothing to turn off, so nothing to refuse.
  'POST /api/admin/second-factor/end': administrators(204, { code: '123456' }),
}
