import * as z from 'zod/mini'
import { ChallengeState, TallySeal } from './challenge'
import { del, get, listQuery, managers, patch, post } from './endpoint'
import { audioKey, CreatedId, calendarDay, draftVersion, line, prose, timestamp } from './fields'

/** Days of a challenge, in order. A draft has each as YYYY-MM-DD in the artist's time zone. */
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

/** Error message for a day that is earlier than the one before it. */
const TOO_EARLY_MESSAGES: Readonly<Record<ChallengeDay, string>> = {
  submissionsFrom: 'Submissions must begin first.',
  submissionsUntil: 'Submissions can’t end before they begin.',
  finalistsOn: 'Finalists can’t be named before the last day of submissions.',
  votingFrom: 'Voting can’t begin before the finalists are named.',
  votingUntil: 'Voting can’t end before it begins.',
  winnerOn: 'The winner can’t be announced before voting ends.',
  closedOn: 'The prize can’t be awarded before the winner is announced.',
}

export const ChallengeDraft = z
  .strictObject({
    title: line(120, 'The title'),
    prize: line(200, 'The prize'),
    /** Plain text in paragraphs. Rules and prize are locked once submissions open, because entrants agree to them. */
    rules: prose(10_000, 'The rules'),
    /** Audio file that verses are recorded over; null without one. An existing beat is locked like the rules. */
    beat: z.nullable(audioKey('The beat')),
    submissionsFrom: calendarDay('The first day of submissions'),
    submissionsUntil: calendarDay('The last day of submissions'),
    finalistsOn: calendarDay('The day of the finalists'),
    votingFrom: calendarDay('The first day of voting'),
    votingUntil: calendarDay('The last day of voting'),
    winnerOn: calendarDay('The day of the winner'),
    closedOn: calendarDay('The day the prize is awarded'),
    version: draftVersion,
  })
  .check(({ value, issues }) => {
    for (const [index, day] of CHALLENGE_DAYS.entries()) {
      const previous = CHALLENGE_DAYS[index - 1]
      if (previous && value[day] < value[previous])
        issues.push({ code: 'custom', message: TOO_EARLY_MESSAGES[day], input: value, path: [day] })
    }
  })
export type ChallengeDraft = z.infer<typeof ChallengeDraft>

/** The editable fields of a challenge. */
export const toChallengeDraft = ({ title, prize, rules, beat, version, ...days }: ChallengeDraft): ChallengeDraft => ({
  title,
  prize,
  rules,
  beat,
  version,
  ...(Object.fromEntries(CHALLENGE_DAYS.map((day) => [day, days[day]])) as Record<ChallengeDay, string>),
})

const AdminFinalist = z.object({
  id: z.string(),
  name: z.string(),
  /** Null without a verse. */
  submissionId: z.nullable(z.string()),
  /** Null until the votes are final, so that interim results stay hidden from reviewers. */
  votes: z.nullable(z.int()),
})

export const AdminChallenge = z.object({
  id: z.string(),
  ...ChallengeDraft.shape,
  version: z.int(),
  state: ChallengeState,
  /** Days that have begun and are locked, e.g. `['submissionsFrom']`. */
  fixed: z.array(z.string()),
  /** Voting was due to open, but the state is still `finalists`: an administrator opens it. */
  opensByHand: z.boolean(),
  submissions: z.int(),
  finalists: z.array(AdminFinalist),
  /** Ballots cast, including excluded ones. */
  votes: z.int(),
  excluded: z.int(),
  /** Undecided flagged ballots. */
  openFlags: z.int(),
  /** Undecided ballots that are flagged only for the voter's new account. */
  openNewAccounts: z.int(),
  /** SIGNING_SECRET changed after the first vote: votes are rejected and cannot be looked up. */
  isRekeyed: z.boolean(),
  seal: z.nullable(TallySeal),
})
export type AdminChallenge = z.infer<typeof AdminChallenge>

/** `name` is the public stage name; `submissionId` is the verse whose recording is played. */
export const FinalistDraft = z.strictObject({
  name: line(80, 'The stage name'),
  submissionId: z.nullable(line(64, 'The verse')),
})
export type FinalistDraft = z.infer<typeof FinalistDraft>

/** All finalists in public order. */
export const FinalistsDraft = z.strictObject({
  /** Ids of the list being replaced, in order; rejects a concurrent change. */
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

/**
 * Reasons to review a ballot: many votes from one network within minutes, a device that voted before, an account at
 * most three days old.
 */
const FLAG_KINDS = ['burst', 'shared_device', 'new_account'] as const
export type FlagKind = (typeof FLAG_KINDS)[number]

/** A ballot to review, without the finalist it was cast for. */
export const FlaggedBallot = z.object({
  ballot: z.int(),
  castAt: timestamp,
  kinds: z.array(z.enum(FLAG_KINDS)),
  /** Other ballots of the same network within minutes, and of the same device; 0 once the votes are final. */
  sameNetwork: z.int(),
  sameDevice: z.int(),
  decision: z.nullable(
    z.object({ keep: z.boolean(), reason: z.string(), by: z.nullable(z.string()), decidedAt: timestamp }),
  ),
})
export type FlaggedBallot = z.infer<typeof FlaggedBallot>

export const adminChallengeApi = {
  challenges: get('/api/admin/challenges', z.array(AdminChallenge), { ...managers, description: 'Latest first.' }),
  addChallenge: post('/api/admin/challenges', ChallengeDraft, CreatedId, {
    ...managers,
    description: 'Public immediately. 400 if its voting period is over.',
    status: 201,
  }),
  updateChallenge: patch('/api/admin/challenges/:id', ChallengeDraft, null, {
    ...managers,
    description:
      '409 `conflict` for a day that has begun, for prize, rules or an existing beat once submissions have opened, for the title once votes are final.',
  }),
  removeChallenge: del('/api/admin/challenges/:id', null, null, {
    ...managers,
    description: 'Soft delete; 409 `conflict` with votes or submissions.',
  }),
  restoreChallenge: post('/api/admin/challenges/:id/restore', null, null, managers),
  advanceState: post(
    '/api/admin/challenges/:id/move',
    z.strictObject({ from: ChallengeState }),
    z.object({ state: ChallengeState }),
    {
      ...managers,
      description:
        'Moves to the state after `from` now. 409 `conflict` if it is no longer in `from`, if voting would open with fewer than two finalists, or if the result is not counted yet.',
    },
  ),
  verseAudio: get('/api/verse-submissions/:id/audio', null, managers),
  updateVerse: patch(
    '/api/verse-submissions/:id',
    z.strictObject({ shortlisted: z.optional(z.boolean()), note: z.optional(prose(1000, 'The note')) }),
    null,
    { ...managers, description: 'Shortlist mark and note, visible to administrators only.' },
  ),
  setFinalists: post('/api/admin/challenges/:id/finalists', FinalistsDraft, null, {
    ...managers,
    description:
      'Replaces the finalists. 409 `conflict` once voting has begun or its period is over, or if the list is no longer `was`; 404 for a verse of another challenge.',
  }),
  flags: get('/api/admin/challenges/:id/flags', z.array(FlaggedBallot), {
    ...managers,
    description:
      'Flagged ballots, undecided first, then newest first; 50 per page. Filters `state` (open, counted, excluded), `kind`.',
    query: ['sort', 'cursor', 'state', 'kind'],
  }),
  decideFlag: post(
    '/api/admin/challenges/:id/flags/:ballot',
    z.strictObject({ keep: z.boolean(), reason: line(300, 'The reason') }),
    null,
    {
      ...managers,
      description: 'Accepts or excludes a flagged ballot; can be changed until the votes are final (409 `conflict`).',
    },
  ),
  acceptNewAccounts: post(
    '/api/admin/challenges/:id/flags',
    z.strictObject({ reason: line(300, 'The reason') }),
    z.object({ kept: z.int() }),
    {
      ...managers,
      description: 'Accepts all undecided ballots flagged as a new account only; returns their number. 409 once final.',
    },
  ),
  seal: post('/api/admin/challenges/:id/seal', null, TallySeal, {
    ...managers,
    description:
      "Makes the votes final now and publishes the digest. Otherwise this happens automatically after closing, once no flag is undecided, at the latest after the winner's day. 409 before voting has closed.",
  }),
}

/** A submitted verse. Email and phone are masked in lists; a reveal is audited. */
export const VerseSubmission = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  submittedAt: timestamp,
  challengeId: z.string(),
  hasRecording: z.boolean(),
  isFinalist: z.boolean(),
  /** Sent from the mailbox of a confirmed account, or confirmed by the emailed link. */
  isConfirmed: z.boolean(),
  shortlisted: z.boolean(),
  /** Visible to administrators only. */
  note: z.string(),
  /** One per team member who rated the verse, oldest first. */
  ratings: z.array(z.object({ by: z.string(), rating: z.int() })),
  /** With one decimal; null without ratings. */
  averageRating: z.nullable(z.number()),
  /** The caller's rating; null without one. */
  myRating: z.nullable(z.int()),
})
export type VerseSubmission = z.infer<typeof VerseSubmission>

export const SUBMISSION_STATES = ['finalist', 'shortlist', 'unconfirmed'] as const
/** Verses that the caller has not rated, or that no team member has. */
export const RATING_STATES = ['not-by-me', 'by-no-one'] as const

export const adminSubmissionsApi = {
  submissions: get('/api/verse-submissions', z.array(VerseSubmission), {
    ...managers,
    description: `Masked, newest first, 50 per page; \`?q=\` finds part of a name or a whole address. Filters \`state\` (${SUBMISSION_STATES.join(', ')}), \`rated\` (${RATING_STATES.join(', ')}); sorts \`submitted\`, \`name\`, \`rating\`.`,
    query: listQuery('state', 'rated'),
  }),
  ofChallenge: get('/api/admin/challenges/:id/submissions', z.array(VerseSubmission), {
    ...managers,
    description: 'As `/api/verse-submissions`, of one challenge.',
    query: listQuery('state', 'rated'),
  }),
  listening: get('/api/admin/challenges/:id/listening', z.array(VerseSubmission), {
    ...managers,
    description:
      'Every verse of a challenge to listen to, masked: those that the caller has not rated first, then the oldest first.',
  }),
  rate: post(
    '/api/verse-submissions/:id/rating',
    z.strictObject({
      rating: z.nullable(
        z.int('Rate from 1 to 5.').check(z.gte(1, 'Rate from 1 to 5.'), z.lte(5, 'Rate from 1 to 5.')),
      ),
    }),
    VerseSubmission,
    {
      ...managers,
      description:
        "The caller's rating of a verse, replacing an earlier one; null takes it back. Returns the verse, masked.",
    },
  ),
  reveal: post('/api/verse-submissions/:id/reveal', null, VerseSubmission, {
    ...managers,
    recentAuth: true,
    description: 'One submission unmasked.',
  }),
}
