import { recordedIfChanged } from '../audit/audit'
import type { TierId } from '../contract/site'
import type { DeskSocialPost, DeskTier, SocialPostDraft, TierDraft } from '../contract/site-content'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { mustBeStored } from '../uploads/uploads'
import { type By, kept } from './rows'

/** What the tiers' cards say, in their order. */
export async function deskTiers(db: D1Database): Promise<DeskTier[]> {
  const { results } = await db
    .prepare('SELECT id, name, price_cents AS priceCents, features, popular FROM tiers ORDER BY position')
    .all<{ id: TierId; name: string; priceCents: number; features: string; popular: number }>()
  return results.map((row) => ({ ...row, features: JSON.parse(row.features), popular: row.popular === 1 }))
}

/** Keeps a tier's card; the popular one is popular alone. @throws Refused `not_found`, `bad_input` for a Bronze that costs. */
export async function keepTier(db: D1Database, draft: TierDraft, id: string, { actorId, at }: By): Promise<void> {
  if (id === 'bronze' && draft.priceCents !== 0) throw new Refused('bad_input', 'Bronze is free.')
  const [done] = await db.batch([
    db
      .prepare('UPDATE tiers SET name = ?2, price_cents = ?3, features = ?4, popular = ?5 WHERE id = ?1 RETURNING id')
      .bind(id, draft.name, draft.priceCents, JSON.stringify(draft.features), Number(draft.popular)),
    recordedIfChanged(db, { actorId, action: 'tier.changed', subject: `tier:${id}`, at }),
    db
      .prepare('UPDATE tiers SET popular = 0 WHERE id <> ?1 AND ?2 = 1 AND popular = 1')
      .bind(id, Number(draft.popular)),
  ])
  if (done?.results.length !== 1) throw new Refused('not_found', 'There is no such tier.')
}

/** The social posts under the store, in their order. */
export async function deskPosts(db: D1Database): Promise<DeskSocialPost[]> {
  const { results } = await db
    .prepare(
      'SELECT id, title, url, image_url AS imageUrl, image_alt AS imageAlt, position FROM social_posts WHERE removed_at IS NULL ORDER BY position, id',
    )
    .all<DeskSocialPost>()
  return results
}

/** Keeps a social post, a new one without `id`. Returns its id. @throws Refused `not_found`, `bad_input`. */
export async function keepPost(db: D1Database, draft: SocialPostDraft, id: string | null, by: By): Promise<string> {
  await mustBeStored(db, 'picture', [draft.imageUrl.replace('/media/', '')])
  const own = id ?? newId('social')
  const row = {
    title: draft.title,
    url: draft.url,
    image_url: draft.imageUrl,
    image_alt: draft.imageAlt,
    position: draft.position,
  }
  await kept(db, 'social_post', { id: own, isNew: id === null, row }, by)
  return own
}
