import * as z from 'zod/mini'
import { VerseDraft } from './drafts'
import { confirmed, del, get, post, upload, user, visitor } from './endpoint'
import { line, timestamp } from './fields'
import { AUDIO_UPLOAD } from './uploads'

/**
 * A challenge never returns to an earlier state. `finalists` lasts until voting opens, which needs two
 * finalists; in `closed`, votes are reviewed and counted; from `published` on, the winner is public.
 */
const CHALLENGE_STATES = ['announced', 'submissions', 'finalists', 'voting', 'closed', 'published'] as const
export type ChallengeState = (typeof CHALLENGE_STATES)[number]
export const ChallengeState = z.enum(CHALLENGE_STATES)

/** Whether a challenge in state `current` has reached `target` or is past it. */
export const hasReached = (current: ChallengeState, target: ChallengeState): boolean =>
  CHALLENGE_STATES.indexOf(current) >= CHALLENGE_STATES.indexOf(target)

/** Digest of the final votes; docs/recount.mjs recounts the file. */
export const TallySeal = z.object({
  /** SHA-256 of the tally, lower-case hex. Public once the votes are final; the file follows with the result. */
  sha256: z.string(),
  ballots: z.int(),
  sealedAt: timestamp,
})
export type TallySeal = z.infer<typeof TallySeal>

const PublicFinalist = z.object({
  id: z.string(),
  name: z.string(),
  /** Null without an audio file. */
  audioUrl: z.nullable(z.string()),
})

export const PublicChallenge = z.object({
  id: z.string(),
  title: z.string(),
  prize: z.string(),
  /** Paragraphs of plain text; may be empty. */
  rules: z.string(),
  /** Audio file that verses are recorded over; null without one. `?download` sends it as an attachment. */
  beatUrl: z.nullable(z.string()),
  state: ChallengeState,
  /** The artist's IANA zone, in which the days below are. */
  timeZone: z.string(),
  /** YYYY-MM-DD, in order. */
  timeline: z.array(z.object({ label: z.string(), date: z.string() })),
  // The times are of the server's clock. A period ends just before its closing time.
  submissionsOpenAt: timestamp,
  submissionsCloseAt: timestamp,
  finalistsAt: timestamp,
  votingOpensAt: timestamp,
  votingClosesAt: timestamp,
  /** The winner is public from here on, once the votes are counted. */
  publishedAt: timestamp,
  /** In the artist's order; empty before they are public. */
  finalists: z.array(PublicFinalist),
  /** Null until the votes are final. */
  seal: z.nullable(TallySeal),
  /** Null until `published`. Most votes first; `percent` of counted votes with one decimal. */
  results: z.nullable(
    z.object({
      finalists: z.array(z.object({ id: z.string(), name: z.string(), votes: z.int(), percent: z.number() })),
      /** Counted and excluded ballots; the tally names the flag of each exclusion. */
      counted: z.int(),
      excluded: z.int(),
      tallyUrl: z.string(),
    }),
  ),
  /** Other finished challenges, latest first; `date` is the winner's day. */
  others: z.array(z.object({ id: z.string(), title: z.string(), date: z.string() })),
})
export type PublicChallenge = z.infer<typeof PublicChallenge>

const MyVerse = z.object({
  id: z.string(),
  name: z.string(),
  submittedAt: timestamp,
  isFinalist: z.boolean(),
  /** Only a confirmed verse counts; the emailed link confirms it. */
  isConfirmed: z.boolean(),
  /** False for a public finalist. */
  canWithdraw: z.boolean(),
})

/** The pseudonym identifies the ballot in the tally. */
export const MyBallot = z.object({ finalistId: z.string(), castAt: timestamp, pseudonym: z.string() })
export type MyBallot = z.infer<typeof MyBallot>

export const MyChallenge = z.object({
  verse: z.nullable(MyVerse),
  ballot: z.nullable(MyBallot),
  /** Required for voting. */
  emailVerified: z.boolean(),
  /** SIGNING_SECRET changed after the first vote: votes are rejected and cannot be looked up. */
  isRekeyed: z.boolean(),
})
export type MyChallenge = z.infer<typeof MyChallenge>

const signInMessage = 'Please sign up or login to vote'

const VerseToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(500)) })

export const challengeApi = {
  current: get('/api/challenge/current', z.nullable(PublicChallenge), {
    ...visitor,
    description: 'The running challenge, else the last one. Null without any.',
  }),
  challenge: get('/api/challenges/:id', PublicChallenge, visitor),
  mine: get('/api/challenges/:id/mine', MyChallenge, user),
  uploadRecording: upload('/api/challenge/recordings', z.object({ recording: z.string(), sizeBytes: z.int() }), {
    ...visitor,
    accepts: AUDIO_UPLOAD,
    description:
      'Step 1 of a submission: a file that is deleted after two days unless step 2 names it. 410 `closed` outside the submission days, 413, 429 after ten per day and account or sixty per day from visitors of one IP address.',
    status: 201,
  }),
  submit: post('/api/challenges/:id/submissions', VerseDraft, z.object({ id: z.string(), submittedAt: timestamp }), {
    ...visitor,
    description:
      'Step 2. 201; emails a link that confirms or withdraws the verse. 409 `conflict` for a second verse of a mailbox or account, 410 `closed`, 400 `bad_input` for an invalid phone number or recording.',
    status: 201,
  }),
  confirmVerse: post('/api/challenge/confirm', VerseToken, z.object({ confirmed: z.literal(true) }), {
    ...visitor,
    description:
      'Token of /challenge/confirm?token=. 400 `bad_token`; 409 `conflict` for a second verse of the mailbox.',
  }),
  withdrawByToken: post('/api/challenge/withdraw', VerseToken, z.object({ withdrawn: z.literal(true) }), {
    ...visitor,
    description: 'Token of /challenge/withdraw?token=. 400 `bad_token`; 409 `conflict` for a public finalist.',
  }),
  withdrawMyVerse: del('/api/challenges/:id/submission', null, null, {
    ...user,
    description: "Withdraws the caller's verse. 404 without one; 409 `conflict` for a public finalist.",
  }),
  beat: get('/api/challenges/:id/beat', null, {
    ...visitor,
    description: 'The beat, with Range and ETag. Playing it counts no stream.',
  }),
  finalistAudio: get('/api/challenge/finalists/:id/audio', null, {
    ...visitor,
    description: 'The recording of a public finalist, with Range and ETag.',
  }),
  vote: post('/api/challenges/:id/vote', z.strictObject({ finalistId: line(64, 'The finalist') }), MyBallot, {
    ...confirmed,
    signInMessage,
    description:
      'Once per mailbox: 409 `already_voted`, 410 `closed`, 400 `unknown_option`, 404; 403 `forbidden` for banned users and administrators.',
  }),
  tally: get('/api/challenges/:id/tally.csv', null, {
    ...visitor,
    description: 'text/csv: `ballot,castAt,finalist,voterPseudonym,excluded`, in casting order. 404 until published.',
  }),
}
