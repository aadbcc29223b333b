import * as z from 'zod/mini'
import { ChallengeState, TallySeal } from './challenge'
import { administrator, del, get, patch, post } from './endpoint'
import { calendarDay, line, prose, timestamp } from './fields'

/** The days of a challenge, in their order; each is YYYY-MM-DD in the artist's zone. */
export const CHALLENGE_DAYS = [
  'submissionsFrom',
  'submissionsUntil',
  'finalistsOn',
  'votingFrom',
  'votingUntil',
  'winnerOn',
  'closedOn',
] as const
export type ChallengeDay = (typeof CHALLENGE_DAYS)[number]

/** A challenge and its days, in the artist's zone. They follow each other (ruling 4). */
export const ChallengeDraft = z
  .strictObject({
    title: line(120, 'The title'),
    prize: line(200, 'The prize'),
    /** Paragraphs of plain text. They and the prize stay once verses are taken: who sends one has agreed to them. */
    rules: prose(10_000, 'The rules'),
    submissionsFrom: calendarDay('The first day of submissions'),
    submissionsUntil: calendarDay('The last day of submissions'),
    finalistsOn: calendarDay('The day of the finalists'),
    votingFrom: calendarDay('The first day of voting'),
    votingUntil: calendarDay('The last day of voting'),
    winnerOn: calendarDay('The day of the winner'),
    closedOn: calendarDay('The day it is closed'),
  })
  .check(({ value, issues }) => {
    // Said at the first day that lies before the one in front of it: there it can be mended.
    const late = CHALLENGE_DAYS.find((day, i) => i > 0 && value[day] < value[CHALLENGE_DAYS[i - 1] as ChallengeDay])
    if (late) issues.push({ code: 'custom', message: 'The days must follow each other.', input: value, path: [late] })
  })
export type ChallengeDraft = z.infer<typeof ChallengeDraft>

export const AdminFinalist = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for who sent no verse here. */
  submissionId: z.nullable(z.string()),
  /** Null until the votes are fixed: the desk that looks through them does not know who leads. */
  votes: z.nullable(z.int()),
})

export const AdminChallenge = z.object({
  id: z.string(),
  ...ChallengeDraft.shape,
  state: ChallengeState,
  /** Which of its days have begun and are fixed, e.g. `['submissionsFrom']`. */
  fixed: z.array(z.string()),
  /** In `finalists`, once the first day of voting has come: the vote is opened by hand, when everybody is named. */
  opensByHand: z.boolean(),
  submissions: z.int(),
  finalists: z.array(AdminFinalist),
  /** Ballots cast, excluded ones too. */
  votes: z.int(),
  excluded: z.int(),
  /** Flagged ballots that nobody has decided about. */
  openFlags: z.int(),
  /** Those of them that are flagged for nothing but a new account. */
  openNewAccounts: z.int(),
  /** SIGNING_SECRET was changed after the first vote: no vote is taken, and nobody finds their own. */
  isRekeyed: z.boolean(),
  seal: z.nullable(TallySeal),
})
export type AdminChallenge = z.infer<typeof AdminChallenge>

/** A stage name as the public reads it; `submissionId` leads to the recording that is played. */
export const FinalistDraft = z.strictObject({
  name: line(80, 'The stage name'),
  submissionId: z.nullable(line(64, 'The verse')),
})
export type FinalistDraft = z.infer<typeof FinalistDraft>

/** All of them, in the order in which the public meets them. */
export const FinalistsDraft = z.strictObject({
  /** Ids of those whom the list was made from, in their order: what somebody else has done meanwhile is not undone. */
  was: z.array(line(64, 'A finalist')).check(z.maxLength(20, 'There are at most 20 finalists.')),
  finalists: z.array(FinalistDraft).check(
    z.maxLength(20, 'There are at most 20 finalists.'),
    z.refine((all) => new Set(all.map(({ name }) => name.normalize('NFKC').toLowerCase())).size === all.length, {
      error: 'Two finalists have the same name.',
    }),
    z.refine(
      (all) => {
        const verses = all.flatMap(({ submissionId }) => submissionId ?? [])
        return new Set(verses).size === verses.length
      },
      { error: 'One verse is on the list twice.' },
    ),
  ),
})
export type FinalistsDraft = z.infer<typeof FinalistsDraft>

/** Why a ballot is looked at: many from one network within minutes, a device that voted before, an account of yesterday. */
export const FLAG_KINDS = ['burst', 'shared_device', 'new_account'] as const
export type FlagKind = (typeof FLAG_KINDS)[number]

/** A ballot that is to be looked at. For whom it was cast is not told. */
export const FlaggedBallot = z.object({
  ballot: z.int(),
  castAt: timestamp,
  kinds: z.array(z.enum(FLAG_KINDS)),
  /** Other ballots of the same network within the same minutes, and of the same device; 0 once the votes are fixed. */
  sameNetwork: z.int(),
  sameDevice: z.int(),
  decision: z.nullable(
    z.object({ keep: z.boolean(), reason: z.string(), by: z.nullable(z.string()), decidedAt: timestamp }),
  ),
})
export type FlaggedBallot = z.infer<typeof FlaggedBallot>

export const adminChallengeApi = {
  /** The latest first. */
  challenges: get('/api/admin/challenges', z.array(AdminChallenge), administrator),
  /** Announces it: it is public at once. 400 where voting would be over already. */
  addChallenge: post('/api/admin/challenges', ChallengeDraft, z.object({ id: z.string() }), administrator),
  /** 409 `conflict` for a day that has begun, for prize or rules once verses are taken, for the title once votes are fixed. */
  updateChallenge: patch('/api/admin/challenges/:id', ChallengeDraft, null, administrator),
  /** Off the site at once, and `restore` puts it back; 409 `conflict` for one that has votes or submissions. */
  removeChallenge: del('/api/admin/challenges/:id', null, null, administrator),
  restoreChallenge: post('/api/admin/challenges/:id/restore', null, null, administrator),
  /**
   * Moves it on by hand to the state after `from`, now. 409 `conflict` when it is not in `from` any more (somebody else
   * was quicker), before voting while there are fewer than two finalists, before publishing while nothing is counted.
   */
  advancePhase: post(
    '/api/admin/challenges/:id/move',
    z.strictObject({ from: ChallengeState }),
    z.object({ state: ChallengeState }),
    administrator,
  ),
  /** The recording of a verse, with Range and ETag. The list of verses is `submissionsApi.submissions`. */
  verseAudio: get('/api/verse-submissions/:id/audio', null, administrator),
  /** The desk's own mark and words; who sent the verse does not see them. */
  updateVerse: patch(
    '/api/verse-submissions/:id',
    z.strictObject({ shortlisted: z.optional(z.boolean()), note: z.optional(prose(1000, 'The note')) }),
    null,
    administrator,
  ),
  /** Names the finalists, all of them. 409 `conflict` once voting has begun or its days are over, or where they are not `was` any more; 404 for
   * a verse of another challenge. */
  setFinalists: post('/api/admin/challenges/:id/finalists', FinalistsDraft, null, administrator),
  /** Flagged ballots, undecided ones first, then newest first; 50 a page, the next page in `Link`. */
  flags: get('/api/admin/challenges/:id/flags', z.array(FlaggedBallot), administrator),
  /** Keeps or leaves out a flagged ballot, also anew, until the votes are fixed (409 `conflict`). */
  decideFlag: post(
    '/api/admin/challenges/:id/flags/:ballot',
    z.strictObject({ keep: z.boolean(), reason: line(300, 'The reason') }),
    null,
    administrator,
  ),
  /** Keeps every open ballot that is flagged for nothing but a new account. `kept` 0 where none is left; 409 once fixed. */
  acceptNewAccounts: post(
    '/api/admin/challenges/:id/flags',
    z.strictObject({ reason: line(300, 'The reason') }),
    z.object({ kept: z.int() }),
    administrator,
  ),
  /**
   * Fixes the votes now: nothing is cast, kept or left out any more, and the digest is public. Happens by itself after
   * closing where no flag is open, at the latest when the winner's day is over. 409 before voting has closed.
   */
  finalize: post('/api/admin/challenges/:id/seal', null, TallySeal, administrator),
}

/** A verse that was sent in. In lists address and number are masked; revealing one is written down (ruling 8). */
export const VerseSubmission = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  submittedAt: timestamp,
  challengeId: z.string(),
  /** There is something to listen to. */
  hasRecording: z.boolean(),
  isFinalist: z.boolean(),
  shortlisted: z.boolean(),
  /** The desk's own words; whoever sent it does not see them. */
  note: z.string(),
})
export type VerseSubmission = z.infer<typeof VerseSubmission>

export const adminSubmissionsApi = {
  /** Masked, newest first, 50 a page; `?q=` looks through names and addresses, `?challenge=` and `?shortlisted=1` leave others out. */
  submissions: get('/api/verse-submissions', z.array(VerseSubmission), administrator),
  /** One submission unmasked. */
  reveal: post('/api/verse-submissions/:id/reveal', null, VerseSubmission, administrator),
}
