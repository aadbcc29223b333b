import * as z from 'zod/mini'
import { cents, lines, link, picture, whole } from './drafts'
import { del, get, patch, post } from './endpoint'
import { TIERS } from './site'
import { line } from './text'

// The smaller things that the artist's people keep: what the tiers say, and the two posts under the store.

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

const administrator = { who: 'administrator' } as const
const Made = z.object({ id: z.string() })

export const siteContentApi = {
  tiers: get('/api/admin/tiers', z.array(DeskTier), administrator),
  changeTier: patch('/api/admin/tiers/:id', TierDraft, null, administrator),
  posts: get('/api/admin/social-posts', z.array(DeskSocialPost), administrator),
  addPost: post('/api/admin/social-posts', SocialPostDraft, Made, administrator),
  changePost: patch('/api/admin/social-posts/:id', SocialPostDraft, null, administrator),
  /** Off the site at once; `restore` puts back the same row. */
  removePost: del('/api/admin/social-posts/:id', null, null, administrator),
  restorePost: post('/api/admin/social-posts/:id/restore', null, null, administrator),
}
