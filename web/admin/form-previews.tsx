import '../styles/account.css'
import '../styles/catalog.css'
import '../styles/community.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ChallengeDraft } from '../../worker/contract/admin-challenge'
import type {
  ConcertDraft,
  MissionDraft,
  ProductDraft,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
  TrackDraft,
} from '../../worker/contract/admin-content'
import type { OfficialPollDraft } from '../../worker/contract/admin-polls'
import type { PublicChallenge } from '../../worker/contract/challenge'
import type { ExclusivePostDraft } from '../../worker/contract/drafts'
import type { TierId } from '../../worker/contract/site'
import { zonedTimeToUtc } from '../../worker/contract/zoned-time'
import { ChallengeHeader, PrizeAndRules } from '../challenge/ChallengePage'
import { ExclusivePostItem } from '../community/ExclusivePosts'
import { NextShow } from '../concerts/ConcertsSection'
import { Hero } from '../home/Hero'
import { Footer } from '../layout/Footer'
import { SocialLinks } from '../newsletter/NewsletterSection'
import { MissionRow } from '../points/Missions'
import { PollCard } from '../polls/PollCard'
import { ProductTile } from '../products/MerchPage'
import { SocialPosts } from '../products/MerchSection'
import { siteConfig, useSite } from '../site/site.queries'
import { RECORD_SIDES, TierPanel } from '../subscriptions/TiersSection'
import { TrackList } from '../tracks/TrackList'
import { Button } from '../ui/Button'

/** A transparent pixel in place of an image that is not uploaded yet. */
const NO_IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const UNLIMITED = 1_000_000

const today = () => new Date().toISOString().slice(0, 10)
const dayOr = (fallback: string, day: string | undefined) =>
  day && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? day : fallback
const timeOr = (fallback: string, time: string | undefined) =>
  /^\d\d:\d\d$/.test(time ?? '') ? String(time) : fallback

/** The time zone, or UTC while it is being typed. */
function zoneOrUtc(timeZone = 'UTC'): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

export function ShowPreview({ draft }: { draft: Partial<ConcertDraft> }) {
  const timeZone = zoneOrUtc(draft.timeZone)
  const date = dayOr(today(), draft.date)
  const startTime = timeOr('20:00', draft.startTime)
  return (
    <NextShow
      show={{
        id: 'preview',
        slug: 'preview',
        date,
        startTime,
        endTime: timeOr('23:00', draft.endTime),
        timeZone,
        startsAt: new Date(zonedTimeToUtc(date, startTime, timeZone)).toISOString(),
        venue: draft.venue || 'Venue',
        city: draft.city || 'City',
        address: draft.address || 'Address',
        price: ((draft.priceCents ?? 0) / 100).toFixed(2),
        ticketsAvailable: draft.ticketsAvailable ?? null,
        isSoldOut: draft.isSoldOut ?? false,
        hasVip: draft.hasVip ?? false,
        imageUrl: draft.imageUrl || NO_IMAGE,
        imageAlt: '',
      }}
    />
  )
}

export function ProductPreview({ draft }: { draft: Partial<ProductDraft> }) {
  const variants = draft.variants ?? []
  const priceCents = Math.min(...variants.map((variant) => variant.priceCents ?? 0))
  const stock = variants.reduce((sum, variant) => sum + (variant.stock ?? UNLIMITED), 0)
  const image = draft.images?.[0]?.url ?? ''
  return (
    <ul className="tile-wall">
      <li>
        <ProductTile
          isFirst
          product={{
            slug: 'preview',
            name: draft.name || 'Name',
            description: draft.description ?? '',
            imageUrl: image,
            priceCents: Number.isFinite(priceCents) ? priceCents : 0,
            stock,
          }}
        />
      </li>
    </ul>
  )
}

export function TrackPreview({ draft }: { draft: Partial<TrackDraft> }) {
  const isExclusive = draft.isExclusive ?? false
  return (
    <TrackList
      tracks={[
        {
          id: 0,
          slug: 'preview',
          releaseSlug: null,
          title: draft.title || 'Title',
          artist: draft.artist ?? '',
          album: draft.album ?? '',
          duration: draft.durationSeconds ?? 0,
          plays: 0,
          likes: 0,
          coverUrl: draft.coverUrl || NO_IMAGE,
          coverAlt: '',
          spotifyUrl: '',
          isTrending: draft.isTrending ?? false,
          isExclusive,
          hasAudio: Boolean(draft.audio),
          liked: false,
        },
      ]}
      currentId={0}
      playingId={undefined}
      tier="bronze"
      onChoose={() => {}}
    />
  )
}

export function PollPreview({ draft }: { draft: Partial<OfficialPollDraft> }) {
  const typed = (draft.options ?? []).filter((option) => option.trim() !== '')
  const options = typed.length > 0 ? typed : ['First option', 'Second option']
  return (
    <PollCard
      poll={{
        id: 'preview',
        title: draft.title || 'Title',
        description: draft.description ?? '',
        endDate: `${dayOr(today(), draft.lastDay)}T12:00:00Z`,
        options: options.map((title, index) => ({ id: String(index), title, voteCount: null })),
        userVote: null,
      }}
      onChoose={() => {}}
    />
  )
}

export const TierPostPreview = ({ draft }: { draft: Partial<ExclusivePostDraft> }) => (
  <ExclusivePostItem
    post={{
      id: 'preview',
      title: draft.title || 'Title',
      text: draft.text || 'Your post',
      tier: draft.tier ?? 'silver',
      createdAt: new Date().toISOString(),
    }}
  />
)

/** `id` is the tier's. */
export function TierPreview({ draft, id }: { draft: Partial<TierDraft>; id: string }) {
  const tier = id as TierId
  const name = draft.name || 'Name'
  return (
    <TierPanel
      tier={{
        id: tier,
        name,
        priceCents: draft.priceCents ?? 0,
        features: (draft.features ?? []).filter((feature) => feature.trim() !== ''),
        popular: draft.popular ?? false,
      }}
      side={RECORD_SIDES[tier]}
    >
      <Button variant={tier === 'gold' ? 'primary' : 'outline'}>Choose {name}</Button>
    </TierPanel>
  )
}

export const MissionPreview = ({ draft }: { draft: Partial<MissionDraft> }) => (
  <ul>
    <MissionRow
      mission={{
        id: 'preview',
        title: draft.title || 'Title',
        description: draft.description || 'Description',
        points: draft.points ?? 0,
        action: draft.action ?? 'poll_vote',
        progress: 0,
        target: draft.target ?? 1,
        completed: false,
        takenBack: false,
      }}
    />
  </ul>
)

export const SocialPostPreview = ({ draft }: { draft: Partial<SocialPostDraft> }) => (
  <SocialPosts
    posts={[{ title: draft.title || 'Title', url: draft.url ?? '', imageUrl: draft.imageUrl || NO_IMAGE, alt: '' }]}
  />
)

export function ChallengePreview({ draft }: { draft: Partial<ChallengeDraft> }) {
  const timeZone = useSite()?.artist.timeZone ?? 'UTC'
  const startOf = (day: string | undefined) =>
    new Date(zonedTimeToUtc(dayOr(today(), day), '00:00', timeZone)).toISOString()
  const challenge: PublicChallenge = {
    id: 'preview',
    title: draft.title || 'Title',
    prize: draft.prize || 'Prize',
    rules: draft.rules ?? '',
    beatUrl: null,
    state: 'announced',
    timeZone,
    timeline: [],
    submissionsOpenAt: startOf(draft.submissionsFrom),
    submissionsCloseAt: startOf(draft.submissionsUntil),
    finalistsAt: startOf(draft.finalistsOn),
    votingOpensAt: startOf(draft.votingFrom),
    votingClosesAt: startOf(draft.votingUntil),
    publishedAt: startOf(draft.winnerOn),
    finalists: [],
    seal: null,
    results: null,
    others: [],
  }
  return (
    <div className="challenge grid gap-10">
      <ChallengeHeader challenge={challenge} now={Date.now()} />
      <PrizeAndRules prize={challenge.prize} rules={challenge.rules} />
    </div>
  )
}

/** The home page's hero, social links and footer. They read the site's configuration, which here has the draft's values. */
export function SitePreview({ draft }: { draft: Partial<SiteDraft> }) {
  const site = useSite()
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { enabled: false } } }))
  const links = { ...site?.artist.links, ...draft.links } as SiteDraft['links']
  useEffect(() => {
    if (!site) return
    const artist = {
      ...site.artist,
      links,
      name: draft.name || 'Name',
      tagline: draft.tagline || 'Tagline',
      city: draft.city || 'City',
      hashtag: draft.hashtag || '#hashtag',
      lyric: draft.lyric ?? '',
      heroUrl: draft.heroUrl || NO_IMAGE,
      heroPortraitUrl: draft.heroPortraitUrl || NO_IMAGE,
      heroAlt: '',
    }
    queryClient.setQueryData(siteConfig.queryKey, { ...site, artist })
  })
  return (
    <QueryClientProvider client={queryClient}>
      <div className="site-preview -m-4">
        <Hero />
        {site && (
          <div className="page-grid py-10">
            <SocialLinks links={links} />
          </div>
        )}
        <Footer />
      </div>
    </QueryClientProvider>
  )
}
