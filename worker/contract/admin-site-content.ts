import * as z from 'zod/mini'
import { administrator, del, get, patch, post } from './endpoint'
import { cents, httpsUrl, imagePath, lines, wholeNumber } from './form-fields'
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
export const AdminTier = z.object({ id: z.enum(TIERS), ...TierDraft.shape })
export type AdminTier = z.infer<typeof AdminTier>

export const SocialPostDraft = z.strictObject({
  title: line(120, 'The title'),
  url: httpsUrl('The link').check(z.minLength(1, 'The link must not be empty.')),
  imageUrl: imagePath('The picture'),
  imageAlt: line(300, 'What the picture shows'),
  position: wholeNumber('The place', 10_000),
})
export type SocialPostDraft = z.infer<typeof SocialPostDraft>
export const AdminSocialPost = z.object({ id: z.string(), ...SocialPostDraft.shape })
export type AdminSocialPost = z.infer<typeof AdminSocialPost>

const CreatedId = z.object({ id: z.string() })

export const adminSiteContentApi = {
  tiers: get('/api/admin/tiers', z.array(AdminTier), administrator),
  changeTier: patch('/api/admin/tiers/:id', TierDraft, null, administrator),
  posts: get('/api/admin/social-posts', z.array(AdminSocialPost), administrator),
  addPost: post('/api/admin/social-posts', SocialPostDraft, CreatedId, administrator),
  updatePost: patch('/api/admin/social-posts/:id', SocialPostDraft, null, administrator),
  /** Off the site at once; `restore` puts back the same row. */
  removePost: del('/api/admin/social-posts/:id', null, null, administrator),
  restorePost: post('/api/admin/social-posts/:id/restore', null, null, administrator),
}
