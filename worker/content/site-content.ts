import { recorded, recordedIfChanged } from '../audit/audit'
import type { TierId } from '../contract/site'
import type { DeskSocialPost, DeskTier, SocialPostDraft, TierDraft } from '../contract/site-content'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { mustBeStored } from '../uploads/uploads'
import type { By } from './rows'

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
      'SELECT id, title, url, image_url AS imageUrl, image_alt AS imageAlt, position FROM social_posts ORDER BY position, id',
    )
    .all<DeskSocialPost>()
  return results
}

/** Keeps a social post, a new one without `id`. Returns its id. @throws Refused `not_found`, `bad_input`. */
export async function keepPost(
  db: D1Database,
  draft: SocialPostDraft,
  id: string | null,
  { actorId, at }: By,
): Promise<string> {
  await mustBeStored(db, 'picture', [draft.imageUrl.replace('/media/', '')])
  const own = id ?? newId('social')
  const write =
    id === null
      ? 'INSERT INTO social_posts (id, title, url, image_url, image_alt, position) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id'
      : 'UPDATE social_posts SET title = ?2, url = ?3, image_url = ?4, image_alt = ?5, position = ?6 WHERE id = ?1 RETURNING id'
  const [done] = await db.batch([
    db.prepare(write).bind(own, draft.title, draft.url, draft.imageUrl, draft.imageAlt, draft.position),
    recordedIfChanged(db, {
      actorId,
      action: `social_post.${id === null ? 'added' : 'changed'}`,
      subject: `social_post:${own}`,
      at,
    }),
  ])
  if (done?.results.length !== 1) throw unknownPost()
  return own
}

/** Takes a social post off the site. @throws Refused `not_found`. */
export async function removePost(db: D1Database, id: string, { actorId, at }: By): Promise<void> {
  const known = await db.prepare('SELECT 1 FROM social_posts WHERE id = ?1').bind(id).first()
  if (!known) throw unknownPost()
  await db.batch([
    db.prepare('DELETE FROM social_posts WHERE id = ?1').bind(id),
    recorded(db, { actorId, action: 'social_post.removed', subject: `social_post:${id}`, at }),
  ])
}

const unknownPost = () => new Refused('not_found', 'That post does not exist.')
