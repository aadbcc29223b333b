import { useQuery } from '@tanstack/react-query'
import { adminContentApi, SiteDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { adminSite, useSave } from './content.queries'
import { Panel } from './Panel'
import type { FieldDefinition } from './RecordField'
import { RecordForm } from './RecordForm'
import { SocialPostsPanel } from './SocialPostsPanel'
import { TiersPanel } from './TiersPanel'

const fields: readonly FieldDefinition<SiteDraft>[] = [
  { name: 'name', label: 'Name of the artist' },
  { name: 'tagline', label: 'Tagline' },
  { name: 'city', label: 'City' },
  { name: 'hashtag', label: 'Hashtag of the challenge' },
  { name: 'description', label: 'Description', kind: 'area', hint: 'For search engines and shared links.' },
  { name: 'lyric', label: 'Hidden line of the footer', optional: true },
  { name: 'referralPrefix', label: 'Prefix of referral codes', hint: 'Codes that are out keep theirs.' },
  { name: 'timeZone', label: 'Time zone of the artist', hint: 'Days and streaks follow it.' },
  { name: 'heroAlt', label: 'What the hero picture shows', kind: 'area' },
  { name: 'heroUrl', label: 'Hero picture, wide', kind: 'picture', shape: 'heroWide' },
  { name: 'heroPortraitUrl', label: 'Hero picture, tall', kind: 'picture', shape: 'heroTall' },
  { name: 'shareImageUrl', label: 'Picture for shared links', kind: 'picture', shape: 'share' },
  { name: 'iconUrl', label: 'Icon', kind: 'picture', shape: 'icon' },
  { name: 'maskableIconUrl', label: 'Icon with room around', kind: 'picture', shape: 'icon' },
  { name: 'links.instagram', label: 'Instagram', kind: 'url', optional: true },
  { name: 'links.tiktok', label: 'TikTok', kind: 'url', optional: true },
  { name: 'links.youtube', label: 'YouTube', kind: 'url', optional: true },
  { name: 'links.spotify', label: 'Spotify', kind: 'url', optional: true },
  { name: 'links.appleMusic', label: 'Apple Music', kind: 'url', optional: true },
  { name: 'links.youtubeMusic', label: 'YouTube Music', kind: 'url', optional: true },
  { name: 'links.broadcast', label: 'Broadcast channel', kind: 'url', optional: true },
  { name: 'links.contact', label: 'Contact', kind: 'url', optional: true },
]

/** The artist: name, words, links and pictures of every page. */
export function SiteTab() {
  const { data, error, refetch, isFetching } = useQuery(adminSite)
  const save = useSave((draft: SiteDraft) => call(adminContentApi.updateSite, { body: draft }), ['site', 'config'])
  return (
    <div className="grid gap-12">
      <Panel title="Site" note="What every page, mail and feed says of the artist.">
        {error && (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The site’s words could not be fetched.
          </LoadError>
        )}
        {!data && !error && <Skeleton label="Fetching the site’s words" className="h-96" />}
        {data && <RecordForm schema={SiteDraft} fields={fields} values={data} save={save.mutateAsync} />}
      </Panel>
      <TiersPanel />
      <SocialPostsPanel />
    </div>
  )
}
