import * as z from 'zod/mini'
import { del, get, post, upload } from './endpoint'
import { emailAddress, line, timestamp } from './fields'
import { AUDIO_UPLOAD } from './uploads'

// The living challenge, as its public and its supporters meet it. The hall of fame (challenge.ts) is on the home page,
// whose first script need not carry all this.

/**
 * Where a challenge stands. It moves by its instants and by the desk's hand, never back: `finalists` begins when no verse
 * is taken any more and lasts until voting opens, which needs two finalists; `closed` while votes are looked through and
 * counted; `published` when the winner may be seen.
 */
export const CHALLENGE_STATES = ['announced', 'submissions', 'finalists', 'voting', 'closed', 'published'] as const
export type ChallengeState = (typeof CHALLENGE_STATES)[number]
export const ChallengeState = z.enum(CHALLENGE_STATES)

/** What a sender agrees to beside the challenge's own rules. New words get a new version; each entry keeps its own. */
export const VERSE_TERMS = {
  version: 'verse-2026-11',
  text: [
    'The verse and the recording are mine, and nobody else has rights in them.',
    'The artist’s team may listen to the recording and keep it with my name, email address and phone number.',
    'If I am named a finalist, my stage name and my recording are played on this site and stay with the result.',
    'I have read the rules of this challenge and accept them.',
  ],
} as const

/** Once the votes are fixed. Anybody can count the file again (docs/recount.mjs). */
export const TallySeal = z.object({
  /** SHA-256 of the tally's bytes, lower-case hex: public from the moment the votes are fixed, the file with the result. */
  sha256: z.string(),
  ballots: z.int(),
  sealedAt: timestamp,
})
export type TallySeal = z.infer<typeof TallySeal>

export const PublicFinalist = z.object({
  id: z.string(),
  name: z.string(),
  /** Where the recording plays; null where there is none. */
  audioUrl: z.nullable(z.string()),
})

/** What everybody may know of a challenge. */
export const PublicChallenge = z.object({
  id: z.string(),
  title: z.string(),
  prize: z.string(),
  /** Several paragraphs of plain text; '' for none. */
  rules: z.string(),
  state: ChallengeState,
  /** The artist's zone (IANA): the days below are days there. */
  timeZone: z.string(),
  /** YYYY-MM-DD, in their order. */
  timeline: z.array(z.object({ label: z.string(), date: z.string() })),
  /** From `…OpensAt` to before `…ClosesAt`. The server's clock decides. */
  submissionsOpenAt: timestamp,
  submissionsCloseAt: timestamp,
  finalistsAt: timestamp,
  votingOpensAt: timestamp,
  votingClosesAt: timestamp,
  /** Not before this the winner is told; and not before the votes are counted. */
  publishedAt: timestamp,
  /** In the artist's order; empty before they are named. */
  finalists: z.array(PublicFinalist),
  /** Null until the votes are fixed. */
  seal: z.nullable(TallySeal),
  /** Null until `published`. By votes, most first; `percent` of what was counted with one decimal. */
  results: z.nullable(
    z.object({
      finalists: z.array(z.object({ id: z.string(), name: z.string(), votes: z.int(), percent: z.number() })),
      /** Counted, and left out by the desk: the tally names what each was flagged for. */
      counted: z.int(),
      excluded: z.int(),
      tallyUrl: z.string(),
    }),
  ),
  /** Those that are over, this one left out, the latest first; `date` is the winner's day. Each stands at /challenge/{id}. */
  others: z.array(z.object({ id: z.string(), title: z.string(), date: z.string() })),
})
export type PublicChallenge = z.infer<typeof PublicChallenge>

/** The caller's own verse. */
export const MyVerse = z.object({
  id: z.string(),
  name: z.string(),
  submittedAt: timestamp,
  isFinalist: z.boolean(),
  /** Until one is a finalist. */
  canWithdraw: z.boolean(),
})

/** The caller's own vote. By the pseudonym it can be found in the tally. */
export const MyBallot = z.object({ finalistId: z.string(), castAt: timestamp, pseudonym: z.string() })
export type MyBallot = z.infer<typeof MyBallot>

/** The caller and a challenge. */
export const MyChallenge = z.object({
  verse: z.nullable(MyVerse),
  ballot: z.nullable(MyBallot),
  /** Votes need a confirmed address. */
  emailVerified: z.boolean(),
  /** SIGNING_SECRET was changed after the first vote: one's own ballot cannot be looked up, and none is taken. */
  isRekeyed: z.boolean(),
})
export type MyChallenge = z.infer<typeof MyChallenge>

/** UTF-16 units. */
export const VERSE_LIMITS = { name: 80, email: 254, phone: 40 } as const

export const VerseDraft = z.strictObject({
  name: line(VERSE_LIMITS.name, 'Your name'),
  email: emailAddress,
  phoneNumber: line(VERSE_LIMITS.phone, 'Your phone number'),
  /** As `sendRecording` answered it. */
  recording: line(64, 'The recording'),
  /** The version of VERSE_TERMS that the sender has seen and accepted. */
  terms: z.literal(VERSE_TERMS.version, 'Please accept the terms of the challenge.'),
})
export type VerseDraft = z.infer<typeof VerseDraft>

const signInMessage = 'Please sign up or login to vote'

export const challengeApi = {
  /** The challenge that is on, or else the last one. Null while there has been no challenge at all. */
  current: get('/api/challenge/current', z.nullable(PublicChallenge)),
  /** One challenge, also when others have come after it. 404. */
  challenge: get('/api/challenges/:id', PublicChallenge),
  mine: get('/api/challenges/:id/mine', MyChallenge, { role: 'supporter' }),
  /**
   * Step 1 of sending a verse: the file as it is, 50 MB at the most. 410 `closed` outside the days for verses, 413 before
   * a byte is read where its length is told, 429 after ten a day and account, sixty of visitors at one address. Kept for two days unless step 2 names it.
   */
  uploadRecording: upload('/api/challenge/recordings', z.object({ recording: z.string(), sizeBytes: z.int() }), {
    role: 'visitor',
    accepts: AUDIO_UPLOAD,
  }),
  /**
   * Step 2. 201. 409 `conflict` for a second verse of one mailbox or account, 410 `closed`, 400 `bad_input` for a phone
   * number or a recording that is none. A mail confirms it, with the link to take it back.
   */
  submit: post('/api/challenges/:id/submissions', VerseDraft, z.object({ id: z.string(), submittedAt: timestamp })),
  /** The link of that mail: /challenge/withdraw?token=. 400 `bad_token`; 409 `conflict` for a finalist. */
  withdrawByToken: post(
    '/api/challenge/withdraw',
    z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(500)) }),
    z.object({ withdrawn: z.literal(true) }),
  ),
  /** The same for one's own of this challenge, logged in. 404 where there is none. */
  withdrawMyVerse: del('/api/challenges/:id/submission', null, null, { role: 'supporter' }),
  /** The recording of a named finalist, with Range and ETag. */
  finalistAudio: get('/api/challenge/finalists/:id/audio', null),
  /**
   * Once a person: 409 `already_voted`, 410 `closed` before and after, 400 `unknown_option`, 404; 403 `forbidden` for who
   * has not confirmed their address, is suspended, or has the desk.
   */
  vote: post('/api/challenges/:id/vote', z.strictObject({ finalistId: line(64, 'The finalist') }), MyBallot, {
    role: 'supporter',
    signInMessage,
    checksSessionInQuery: true,
  }),
  /** text/csv: `ballot,castAt,finalist,voterPseudonym,excluded`, in the order of casting. 404 until published. */
  tally: get('/api/challenges/:id/tally.csv', null),
}
