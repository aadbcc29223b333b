import '../styles/hub.css'
import '../styles/catalog.css'
import '../styles/community.css'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ChallengeDraft } from '../../worker/contract/admin-challenge'
import type {
  ConcertDraft,
  ProductDraft,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
  TrackDraft,
} from '../../worker/contract/admin-content'
import type { MissionDraft } from '../../worker/contract/admin-missions'
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
import { adminReleases, adminTracks } from '../releases/music-admin.queries'
import { siteConfig, useSite } from '../site/site.queries'
import { TierPanel, VINYL_SIDES } from '../subscriptions/TiersSection'
import { TrackList } from '../tracks/TrackList'
import { Button } from '../ui/Button'

// What visitors will see, rendered from a form's draft. Placeholders stand for fields that are still empty.

/** A picture symbol in place of an image that is not uploaded yet. */
const NO_IMAGE = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#221a16"/><g fill="none" stroke="#7d6f63" stroke-width="2" stroke-linejoin="round"><rect x="34" y="36" width="28" height="24"/><circle cx="42" cy="44" r="2.5"/><path d="m36 60 10-10 6 6 4-4 6 6"/></g></svg>`,
)}`
const UNLIMITED_STOCK = 1_000_000

const today = () => new Date().toISOString().slice(0, 10)
const isDay = (day: string | undefined): day is string =>
  day !== undefined && !Number.isNaN(Date.parse(`${day}T00:00:00Z`))
const isTime = (time: string | undefined): time is string => /^\d\d:\d\d$/.test(time ?? '')
const dayOrToday = (day: string | undefined) => (isDay(day) ? day : today())
/** The amount; null while the field is empty or invalid. */
const amountOrNull = (amount: number | null | undefined) => (Number.isFinite(amount) ? Number(amount) : null)

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
  const date = dayOrToday(draft.date)
  const startTime = isTime(draft.startTime) ? draft.startTime : '00:00'
  const startsAt = new Date(zonedTimeToUtc(date, startTime, timeZone)).toISOString()
  const priceCents = amountOrNull(draft.priceCents)
  return (
    <NextShow
      placeholders={{
        date: isDay(draft.date) ? undefined : 'Date',
        time: isTime(draft.startTime) && isTime(draft.endTime) ? undefined : 'Start to end',
        price: priceCents === null ? 'Price' : undefined,
      }}
      show={{
        id: 'preview',
        slug: 'preview',
        date,
        startTime,
        endTime: draft.endTime ?? '',
        timeZone,
        startsAt,
        // Only the calendar link needs it, and the preview is inert.
        endsAt: startsAt,
        venue: draft.venue || 'Venue',
        city: draft.city || 'City',
        address: draft.address || 'Address',
        price: ((priceCents ?? 0) / 100).toFixed(2),
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
  const prices = variants.flatMap(({ priceCents }) => amountOrNull(priceCents) ?? [])
  const stock = variants.reduce((sum, variant) => sum + (amountOrNull(variant.stock) ?? UNLIMITED_STOCK), 0)
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
            priceCents: prices.length > 0 ? Math.min(...prices) : null,
            stock,
          }}
        />
      </li>
    </ul>
  )
}

export function TrackPreview({ draft, id }: { draft: Partial<TrackDraft>; id: string }) {
  const savedTrack = useQuery(adminTracks).data?.find((track) => track.id === id)
  const chosenRelease = useQuery(adminReleases).data?.find((release) => release.id === draft.releaseId)
  return (
    <TrackList
      tracks={[
        {
          id: 0,
          slug: 'preview',
          releaseSlug: null,
          title: draft.title || 'Title',
          artist: draft.artist ?? '',
          album: savedTrack?.album ?? (chosenRelease && chosenRelease.kind !== 'single' ? chosenRelease.title : ''),
          duration: amountOrNull(draft.durationSeconds) ?? 0,
          plays: savedTrack?.plays ?? 0,
          likes: 0,
          coverUrl: draft.coverUrl || NO_IMAGE,
          coverAlt: '',
          spotifyUrl: '',
          isTrending: draft.isTrending ?? false,
          isExclusive: draft.isExclusive ?? false,
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
  const typedOptions = (draft.options ?? []).filter((option) => option.trim() !== '')
  const options = typedOptions.length > 0 ? typedOptions : ['First option', 'Second option']
  return (
    <PollCard
      poll={{
        id: 'preview',
        title: draft.title || 'Title',
        description: draft.description ?? '',
        endDate: `${dayOrToday(draft.lastDay)}T12:00:00Z`,
        options: options.map((title, index) => ({ id: String(index), title, voteCount: null })),
        userVote: null,
      }}
      dayPlaceholder={isDay(draft.lastDay) ? undefined : 'its last day'}
      onChoose={() => {}}
    />
  )
}

export const ExclusivePostPreview = ({ draft }: { draft: Partial<ExclusivePostDraft> }) => (
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
        priceCents: amountOrNull(draft.priceCents),
        features: (draft.features ?? []).filter((feature) => feature.trim() !== ''),
        popular: draft.popular ?? false,
      }}
      side={VINYL_SIDES[tier]}
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
        points: amountOrNull(draft.points),
        action: draft.action ?? 'poll_vote',
        progress: 0,
        target: amountOrNull(draft.target) ?? 1,
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
    new Date(zonedTimeToUtc(dayOrToday(day), '00:00', timeZone)).toISOString()
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
      <ChallengeHeader
        challenge={challenge}
        now={Date.now()}
        placeholder={isDay(draft.submissionsFrom) ? undefined : 'Submissions open on the first day.'}
      />
      <PrizeAndRules prize={challenge.prize} rules={challenge.rules} />
    </div>
  )
}

/** The home page's hero, social links and footer, with a site configuration that has the draft's values. */
export function SitePreview({ draft }: { draft: Partial<SiteDraft> }) {
  const site = useSite()
  // The components read the site's configuration from the query cache, so the preview has a separate cache.
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
