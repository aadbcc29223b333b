import { broadcasts } from '../broadcasts/broadcasts.table'
import { addChallenge, DAYS_JULY_2026 } from './challenges'
import { CHALLENGE, CONCERT, MISSION, POLL, PRODUCT, SITE, SOCIAL_POST, TIER, TRACK } from './drafts'
import { mp3, png } from './files'
import { administratorsOnly, allRoles, type PermissionRow } from './permissions'
import { addUser, db } from './rows'
import { NOON } from './seed'

let count = 0
async function addDraft(): Promise<string> {
  const id = `draft-${++count}`
  const content = { subject: 'New drop', markdown: 'Here.', text: 'Here.', html: '<p>Here.</p>' }
  await db
    .insert(broadcasts)
    .values({ id, ...content, audience: 'all', origin: 'https://fan.example', createdAt: NOON })
  return id
}
const nextId = (name: string) => `${name}-${++count}`
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
const BROADCAST = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }

/** What administrators alone may do, and who is told what at their door. */
export const ADMIN_PERMISSIONS: Record<string, PermissionRow> = {
  'GET /api/admin/orders': administratorsOnly(200),
  'POST /api/admin/orders/:id/reveal': administratorsOnly(404),
  'PATCH /api/admin/orders/:id': administratorsOnly(404, { fulfilment: 'packed' }),
  'POST /api/admin/orders/:id/refund': administratorsOnly(404, { reason: 'A test' }),
  'GET /api/admin/promotion-code': administratorsOnly(200),
  'POST /api/admin/promotion-code/rotate': administratorsOnly(200, {}),
  'GET /api/admin/payments/parked': administratorsOnly(200),
  // Nothing is on that list.
  'POST /api/admin/payments/parked/:id/seen': administratorsOnly(404),
  'GET /api/admin/concerts/:id/check-in-code': administratorsOnly(200),
  'POST /api/admin/concerts/:id/check-in-code/renew': administratorsOnly(200),
  'GET /api/admin/concerts/:id/arrivals': administratorsOnly(200),
  'GET /api/admin/community/posts': administratorsOnly(200),
  // Nobody has seen so many.
  'POST /api/admin/community/posts/:id/keep': administratorsOnly(409, { reports: 99 }),
  'POST /api/admin/community/posts/:id/hide': administratorsOnly(204, { reason: 'A test' }),
  'GET /api/admin/posts': administratorsOnly(200),
  // The post here is a supporter's: it is hidden, not taken down.
  'DELETE /api/admin/posts/:id': administratorsOnly(404),
  'POST /api/admin/posts/:id/restore': administratorsOnly(404),
  'GET /api/admin/taken-down-posts': administratorsOnly(200),
  'PATCH /api/admin/posts/:id': administratorsOnly(404, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/posts': administratorsOnly(201, { title: 'For you', text: 'Words.', tier: 'gold' }),
  'POST /api/admin/polls/:id/close': administratorsOnly(204),
  'POST /api/admin/polls/:id/hide': administratorsOnly(204),
  'POST /api/admin/polls/:id/show': administratorsOnly(204),
  'POST /api/admin/polls': administratorsOnly(201, POLL),
  // Not the artist's.
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
  // Nobody here is stopped.
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
  // Nobody has subscribed.
  'POST /api/admin/broadcasts/:id/send': { ...administratorsOnly(400, {}), createOwned: addDraft },
  'POST /api/admin/broadcasts/:id/cancel': administratorsOnly(404),
  'POST /api/admin/login': allRoles(401, { username: 'nobody', password: 'not a password' }),
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
  // There is no tier of this name.
  'PATCH /api/admin/tiers/:id': administratorsOnly(404, TIER),
  'GET /api/admin/social-posts': administratorsOnly(200),
  'POST /api/admin/social-posts': administratorsOnly(201, SOCIAL_POST),
  // Nor a post.
  'PATCH /api/admin/social-posts/:id': administratorsOnly(404, SOCIAL_POST),
  'DELETE /api/admin/social-posts/:id': administratorsOnly(404),
  'POST /api/admin/social-posts/:id/restore': administratorsOnly(404),
  'GET /api/admin/missions': administratorsOnly(200),
  'POST /api/admin/missions': administratorsOnly(201, MISSION),
  // Nor a mission.
  'PATCH /api/admin/missions/:id': { ...administratorsOnly(404, MISSION), createOwned: async () => 'none' },
  'POST /api/admin/missions/:id/end': { ...administratorsOnly(404), createOwned: async () => 'none' },
  'POST /api/admin/missions/:id/resume': { ...administratorsOnly(404), createOwned: async () => 'none' },
  'GET /api/admin/challenges': administratorsOnly(200),
  'POST /api/admin/challenges': administratorsOnly(201, CHALLENGE),
  // Its result is public, and its days are over.
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
  // Its votes are fixed.
  'POST /api/admin/challenges/:id/flags': administratorsOnly(409, { reason: 'A test' }),
  'POST /api/admin/challenges/:id/flags/:ballot': administratorsOnly(409, { keep: true, reason: 'A test' }),
  'POST /api/admin/challenges/:id/seal': { ...administratorsOnly(200), createOwned: addVotedChallenge },
  // Nothing has changed: it is still there.
  'POST /api/admin/challenges/:id/restore': administratorsOnly(204),
  'GET /api/admin/newsletter': administratorsOnly(200),
  'GET /api/admin/city-demand': administratorsOnly(200),
  'GET /api/admin/polls': administratorsOnly(200),
  'POST /api/admin/uploads/pictures': { ...administratorsOnly(201), file: { type: 'image/png', bytes: png(8, 8) } },
  // Nobody here has sent a picture of this name.
  'POST /api/admin/uploads/pictures/:id/:width': {
    ...administratorsOnly(404),
    file: { type: 'image/png', bytes: png(32, 32) },
  },
  'POST /api/admin/uploads/audio': { ...administratorsOnly(201), file: { type: 'audio/mpeg', bytes: mp3(2000) } },
  'GET /api/admin/supporters': administratorsOnly(200),
  // The first account is a fan's.
  'GET /api/admin/supporters/:id/points': administratorsOnly(200),
  'POST /api/admin/supporters/:id/ban': administratorsOnly(204, { reason: 'A test' }),
  'POST /api/admin/supporters/:id/unban': administratorsOnly(204),
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
  // None has been written.
  'GET /api/admin/exports/:id/file': administratorsOnly(404),
  'GET /api/download/golden-verse-votes': administratorsOnly(200),
  'GET /complete_994_votes.csv': administratorsOnly(200),
  'POST /api/email/golden-verse-csv': administratorsOnly(200, { email: 'press@mail.example' }),
  'GET /api/admin/second-factor': administratorsOnly(200),
  'POST /api/admin/second-factor/begin': administratorsOnly(200),
  // Each of these people is new: there is no secret that the code could be of.
  'POST /api/admin/second-factor/confirm': administratorsOnly(401, { code: '123456' }),
  // Nothing to turn off, so nothing to refuse.
  'POST /api/admin/second-factor/end': administratorsOnly(204, { code: '123456' }),
}
