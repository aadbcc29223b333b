import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { CSSProperties } from 'react'
import { HERO_IMAGE } from '../../worker/contract/images'
import type { SiteConfig } from '../../worker/contract/site'
import { currentChallengeState } from '../challenge/hall-of-fame.queries'
import { SectionLink } from '../layout/SectionLink'
import { nameLines } from '../lib/word-widths'
import { useActivePolls } from '../polls/polls.queries'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { AvifSource, fallbackProps, placeholderStyle } from '../ui/ResponsiveImage'

export function Hero() {
  const artist = useSite()?.artist
  const lines = nameLines(artist?.name ?? '')
  const widest = Math.max(1, ...lines.map(({ ems }) => ems))
  return (
    <section id="top" aria-labelledby="artist-name" className="hero relative isolate flex flex-col">
      <div className="hero-art absolute inset-x-0 top-0 -z-10 overflow-clip bg-sleeve">
        {artist && <HeroArt artist={artist} />}
      </div>
      <div className="mx-auto flex w-full max-w-page grow flex-col justify-end px-gutter">
        <h1
          id="artist-name"
          className="hero-name font-display"
          style={{ '--widest': widest, '--words': lines.length } as CSSProperties}
        >
          {lines.map(({ word, ems }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name can repeat a word, and the order never changes.
            <span key={index} className="block" style={{ '--ems': ems } as CSSProperties}>
              {word}{' '}
            </span>
          ))}
        </h1>
        <div className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-4 pb-3 md:mt-7">
          <p className="grow basis-full text-lg font-medium md:basis-0 md:text-xl">{artist?.tagline ?? '\u00a0'}</p>
          <div className="flex grow flex-wrap gap-3 md:grow-0">
            <SectionLink section="music" className={buttonClass('primary', 'grow px-2! whitespace-nowrap sm:px-8!')}>
              <Play size={18} fill="currentColor" aria-hidden />
              LISTEN NOW
            </SectionLink>
            <Link to="/shows" className={buttonClass('outline', 'grow px-2! whitespace-nowrap sm:px-8!')}>
              GET TICKETS
            </Link>
          </div>
        </div>
      </div>
      {artist && <VoteBadge hashtag={artist.hashtag} />}
    </section>
  )
}

/** A tall image on narrow screens, a wide one elsewhere. The page's head preloads it. */
function HeroArt({ artist: { heroUrl, heroPortraitUrl, heroAlt } }: { artist: SiteConfig['artist'] }) {
  const { portrait, landscape } = HERO_IMAGE
  const portraitFallback = fallbackProps({ ...portrait, src: heroPortraitUrl, fallbackWidth: 840 })
  return (
    <picture>
      <AvifSource {...portrait} src={heroPortraitUrl} />
      <source
        media={portrait.media}
        srcSet={portraitFallback.srcSet ?? portraitFallback.src}
        sizes={portraitFallback.sizes}
      />
      <AvifSource {...landscape} src={heroUrl} />
      <img
        {...fallbackProps({ ...landscape, src: heroUrl, fallbackWidth: 1280 })}
        alt={heroAlt}
        width={landscape.width}
        height={landscape.height}
        fetchPriority="high"
        style={placeholderStyle(heroUrl)}
        className="size-full object-cover object-[62%_40%] max-md:object-[50%_18%]"
      />
    </picture>
  )
}

/** Number of teeth on the edge of the badge. */
const BADGE_TEETH = 44
/** Points of the badge's polygon: the radius around (100, 100) alternates between the tips and the gaps. */
const badgeOutline = Array.from({ length: BADGE_TEETH * 2 }, (_, index) => {
  const angle = (index / (BADGE_TEETH * 2)) * 2 * Math.PI
  const radius = index % 2 ? 99 : 93
  return `${(100 + radius * Math.cos(angle)).toFixed(1)},${(100 + radius * Math.sin(angle)).toFixed(1)}`
}).join(' ')

const RING_RADIUS = 75
const RING_LENGTH = 2 * Math.PI * RING_RADIUS
/** Characters that fit on the ring. */
const RING_CHARACTERS = 36

/** Links to an open challenge, else to open polls, else to the hall of fame. */
function VoteBadge({ hashtag }: { hashtag: string }) {
  const polls = useActivePolls().data
  const challengeState = useQuery(currentChallengeState).data
  const repeats = Math.max(1, Math.floor(RING_CHARACTERS / (hashtag.length + 3)))
  const badge = (
    <>
      <svg viewBox="0 0 200 200" aria-hidden="true" className="absolute inset-0 size-full">
        <defs>
          <linearGradient id="vote-badge-foil" x1="0" y1="0.1" x2="1" y2="0.9">
            <stop offset="0" stopColor="oklch(0.7 0.12 74)" />
            <stop offset="0.3" stopColor="oklch(0.88 0.12 90)" />
            <stop offset="0.42" stopColor="oklch(0.96 0.07 97)" />
            <stop offset="0.6" stopColor="oklch(0.8 0.13 84)" />
            <stop offset="1" stopColor="oklch(0.68 0.12 72)" />
          </linearGradient>
          <path id="vote-badge-ring" d={`M100 ${100 - RING_RADIUS}a${RING_RADIUS} ${RING_RADIUS} 0 1 1 -.01 0`} />
        </defs>
        <polygon points={badgeOutline} fill="url(#vote-badge-foil)" />
        <g fill="none" stroke="var(--color-background)" strokeWidth="1.5">
          <circle cx="100" cy="100" r="89" strokeOpacity="0.55" />
          <circle cx="100" cy="100" r="66" strokeOpacity="0.55" />
          <circle cx="100" cy="100" r="63" strokeOpacity="0.25" />
        </g>
        <text className="vote-badge-ring">
          <textPath href="#vote-badge-ring" textLength={RING_LENGTH - 4} lengthAdjust="spacing">
            {`${hashtag} • `.repeat(repeats)}
          </textPath>
        </text>
      </svg>
      <span className="relative font-display">VOTE NOW</span>
      <span className="sr-only">{hashtag}</span>
    </>
  )
  if (challengeState === 'submissions' || challengeState === 'voting')
    return (
      <Link to="/challenge" className="vote-badge group">
        {badge}
      </Link>
    )
  return (
    <SectionLink section={polls?.length ? 'community-voting' : 'hall-of-fame'} className="vote-badge group">
      {badge}
    </SectionLink>
  )
}
