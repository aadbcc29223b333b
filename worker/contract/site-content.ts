import * as z from 'zod/mini'
import { cents, day, lines, link, picture, whole } from './drafts'
import { del, get, patch, post } from './endpoint'
import { TIERS } from './site'
import { line } from './text'

// The smaller things that the artist's people keep: what the tiers say, the two posts under the store, and challenges.

/** What a tier's card says. What its price buys is Stripe's to know: the two must agree (README, "Configuration"). */
export const TierDraft = z.strictObject({
  name: line(40, 'The name'),
  /** Integer cents a month; Bronze is free. */
  priceCents: cents('The price'),
  features: lines('The list', { each: 120, most: 12 }),
  popular: z.boolean(),
})
export type TierDraft = z.infer<typeof TierDraft>
export const DeskTier = z.object({ id: z.enum(TIERS), ...TierDraft.shape })
export type DeskTier = z.infer<typeof DeskTier>

export const SocialPostDraft = z.strictObject({
  title: line(120, 'The title'),
  url: link('The link').check(z.minLength(1, 'The link must not be empty.')),
  imageUrl: picture('The picture'),
  imageAlt: line(300, 'What the picture shows'),
  position: whole('The place', 10_000),
})
export type SocialPostDraft = z.infer<typeof SocialPostDraft>
export const DeskSocialPost = z.object({ id: z.string(), ...SocialPostDraft.shape })
export type DeskSocialPost = z.infer<typeof DeskSocialPost>

/** A challenge and its days, in the artist's zone. They follow each other (ruling 4). */
export const ChallengeDraft = z
  .strictObject({
    title: line(120, 'The title'),
    prize: line(200, 'The prize'),
    submissionsFrom: day('The first day of submissions'),
    submissionsUntil: day('The last day of submissions'),
    finalistsOn: day('The day of the finalists'),
    votingFrom: day('The first day of voting'),
    votingUntil: day('The last day of voting'),
    winnerOn: day('The day of the winner'),
    closedOn: day('The day it is closed'),
    finalists: lines('The finalists', { each: 80, most: 50 }),
  })
  .check(
    z.refine(
      (draft) => {
        const days = [
          draft.submissionsFrom,
          draft.submissionsUntil,
          draft.finalistsOn,
          draft.votingFrom,
          draft.votingUntil,
          draft.winnerOn,
          draft.closedOn,
        ]
        return days.every((one, i) => i === 0 || (days[i - 1] ?? '') <= one)
      },
      { error: 'The days must follow each other.', path: ['closedOn'] },
    ),
    z.refine((draft) => new Set(draft.finalists.map((name) => name.toLowerCase())).size === draft.finalists.length, {
      error: 'Two finalists have the same name.',
      path: ['finalists'],
    }),
  )
export type ChallengeDraft = z.infer<typeof ChallengeDraft>
export const DeskChallenge = z.object({ id: z.string(), votes: z.int(), submissions: z.int(), ...ChallengeDraft.shape })
export type DeskChallenge = z.infer<typeof DeskChallenge>

const administrator = { who: 'administrator' } as const
const Made = z.object({ id: z.string() })

export const siteContentApi = {
  tiers: get('/api/admin/tiers', z.array(DeskTier), administrator),
  changeTier: patch('/api/admin/tiers/:id', TierDraft, null, administrator),
  posts: get('/api/admin/social-posts', z.array(DeskSocialPost), administrator),
  addPost: post('/api/admin/social-posts', SocialPostDraft, Made, administrator),
  changePost: patch('/api/admin/social-posts/:id', SocialPostDraft, null, administrator),
  /** Off the site at once; `restore` puts back the same row. So with a challenge. */
  removePost: del('/api/admin/social-posts/:id', null, null, administrator),
  restorePost: post('/api/admin/social-posts/:id/restore', null, null, administrator),
  challenges: get('/api/admin/challenges', z.array(DeskChallenge), administrator),
  addChallenge: post('/api/admin/challenges', ChallengeDraft, Made, administrator),
  /** 409 `conflict` for other finalists once votes have been cast. */
  changeChallenge: patch('/api/admin/challenges/:id', ChallengeDraft, null, administrator),
  /** 409 `conflict` for one that has votes or submissions. */
  removeChallenge: del('/api/admin/challenges/:id', null, null, administrator),
  restoreChallenge: post('/api/admin/challenges/:id/restore', null, null, administrator),
}
