import { useQuery } from '@tanstack/react-query'
import {
  type AdminSocialPost,
  type AdminTier,
  adminSiteApi,
  adminSocialPostsApi,
  adminTiersApi,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
} from '../../worker/contract/admin-content'
import { adminQuery, readNextPosition, useAdminMutation } from '../admin/admin.queries'
import { SitePreview, SocialPostPreview, TierPreview } from '../admin/lazy-previews'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { Panel } from '../admin/Panel'
import { ALT_HINT, type FieldDefinition } from '../admin/RecordField'
import { RecordForm } from '../admin/RecordForm'
import { useAutosave } from '../admin/useFormDraft'
import { call } from '../api/call'
import { formatShortPrice } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'

const siteFields: readonly FieldDefinition<SiteDraft>[] = [
  { name: 'name', label: 'Artist name' },
  { name: 'tagline', label: 'Tagline' },
  { name: 'city', label: 'City' },
  { name: 'hashtag', label: 'Challenge hashtag' },
  { name: 'description', label: 'Description', kind: 'textarea', hint: 'For search engines and shared links.' },
  { name: 'lyric', label: 'Hidden lyric in the footer', optional: true },
  { name: 'referralPrefix', label: 'Referral code prefix', hint: 'Existing codes keep their prefix.' },
  { name: 'timeZone', label: 'Artist’s time zone', hint: 'Sets when a day starts for points and streaks.' },
  { name: 'heroAlt', label: 'Hero picture description', kind: 'textarea', hint: ALT_HINT },
  { name: 'heroUrl', label: 'Hero picture, wide', kind: 'image', crop: 'heroWide' },
  { name: 'heroPortraitUrl', label: 'Hero picture, tall', kind: 'image', crop: 'heroTall' },
  { name: 'shareImageUrl', label: 'Picture for shared links', kind: 'image', crop: 'share' },
  { name: 'iconUrl', label: 'Icon', kind: 'image', crop: 'icon' },
  { name: 'maskableIconUrl', label: 'Icon with a safe margin', kind: 'image', crop: 'icon' },
  { name: 'links.instagram', label: 'Instagram', kind: 'url', optional: true },
  { name: 'links.tiktok', label: 'TikTok', kind: 'url', optional: true },
  { name: 'links.youtube', label: 'YouTube', kind: 'url', optional: true },
  { name: 'links.spotify', label: 'Spotify', kind: 'url', optional: true },
  { name: 'links.appleMusic', label: 'Apple Music', kind: 'url', optional: true },
  { name: 'links.youtubeMusic', label: 'YouTube Music', kind: 'url', optional: true },
  { name: 'links.broadcast', label: 'Broadcast channel', kind: 'url', optional: true },
  { name: 'links.contact', label: 'Contact', kind: 'url', optional: true },
]

const tierList: EditableListDefinition<'/api/admin/tiers', AdminTier, TierDraft> = {
  list: {
    name: 'tiers',
    title: 'Tiers',
    endpoint: adminTiersApi.list,
    urlPrefix: 'tiers.',
    nameOf: (row) => row.name,
    columns: [
      { id: 'name', header: 'Tier', cell: (row) => row.name },
      { id: 'price', header: 'Per month', cell: (row) => formatShortPrice(row.priceCents), isNumeric: true },
      { id: 'features', header: 'Features', cell: (row) => row.features.length, isNumeric: true },
      { id: 'popular', header: 'Most Popular', cell: (row) => (row.popular ? 'Yes' : '') },
    ],
    empty: 'No tiers yet. Run npm run site:init to create them.',
  },
  noun: 'tier',
  keys: ['tiers', 'config'],
  form: {
    schema: TierDraft,
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'priceCents', label: 'Price per month', kind: 'money', hint: 'Must match the price in Stripe.' },
      { name: 'features', label: 'Features', kind: 'lines', hint: 'One per line.' },
      { name: 'popular', label: 'Marked Most Popular', kind: 'checkbox', hint: 'Only one tier can be marked.' },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
    preview: TierPreview,
  },
  endpoints: adminTiersApi,
}

const socialPostList: EditableListDefinition<'/api/admin/social-posts', AdminSocialPost, SocialPostDraft> = {
  list: {
    name: 'social-posts',
    title: 'Social posts',
    endpoint: adminSocialPostsApi.list,
    urlPrefix: 'posts.',
    searchLabel: 'Search posts by title or link',
    nameOf: (row) => row.title,
    columns: [
      { id: 'title', header: 'Title', cell: (row) => row.title, sort: 'title' },
      { id: 'url', header: 'Link', cell: (row) => <span className="wrap-anywhere">{row.url}</span> },
      { id: 'position', header: 'Place', cell: (row) => row.position, sort: 'position', isNumeric: true },
    ],
    empty: 'No posts yet. Add the first one, with its link and picture.',
  },
  note: 'Cards under the store that link to social posts.',
  noun: 'post',
  keys: ['social-posts', 'config'],
  form: {
    schema: SocialPostDraft,
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'position', label: 'Place', kind: 'number' },
      { name: 'url', label: 'Link', kind: 'url' },
      { name: 'imageUrl', label: 'Picture', kind: 'image', crop: 'post' },
      { name: 'imageAlt', label: 'Picture description', wide: true, hint: ALT_HINT },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
    blank: { imageUrl: '' },
    readDefaults: async () => ({ position: await readNextPosition(adminSocialPostsApi.list) }),
    preview: SocialPostPreview,
  },
  endpoints: adminSocialPostsApi,
}

/** The artist's name, texts, links and images, the tiers' cards and the social posts. */
export function SiteTab() {
  const site = useQuery(adminQuery('site', adminSiteApi.site))
  const save = useAdminMutation(
    (draft: SiteDraft) => call(adminSiteApi.updateSite, { body: draft }),
    ['site', 'config'],
  )
  const autosave = useAutosave('site.form', 'Site')
  return (
    <div className="grid gap-12">
      <Panel title="Site" note="What every page, email and feed says about the artist.">
        <QueryBoundary
          query={site}
          loading={{ label: 'Loading the site settings', className: 'h-96' }}
          error="The site settings could not be loaded."
        >
          {(values) => (
            <RecordForm
              schema={SiteDraft}
              fields={siteFields}
              values={values}
              save={save.mutateAsync}
              readLatest={() => call(adminSiteApi.site, {})}
              autosave={autosave}
              preview={SitePreview}
            />
          )}
        </QueryBoundary>
      </Panel>
      <EditableList definition={tierList} />
      <EditableList definition={socialPostList} />
    </div>
  )
}
