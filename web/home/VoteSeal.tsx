import { SectionLink } from '../layout/SectionLink'
import { useActivePolls } from '../polls/polls.queries'

/** The seal's outline: a circle of radius 92 with small teeth, like a stamp pressed into foil. */
const TEETH = 44
const outline = Array.from({ length: TEETH * 2 }, (_, at) => {
  const angle = (at / (TEETH * 2)) * 2 * Math.PI
  const radius = at % 2 ? 99 : 93
  return `${(100 + radius * Math.cos(angle)).toFixed(1)},${(100 + radius * Math.sin(angle)).toFixed(1)}`
}).join(' ')

const RING = 75
const RING_LENGTH = 2 * Math.PI * RING
/** As many letters of the ring's size as go around it. */
const RING_LETTERS = 36

/** 'VOTE NOW' stamped in gold: leads to the vote while there is one, else to the hall of fame (ruling 31). */
export function VoteSeal({ hashtag }: { hashtag: string }) {
  const polls = useActivePolls().data
  const times = Math.max(1, Math.floor(RING_LETTERS / (hashtag.length + 3)))
  return (
    <SectionLink section={polls?.length ? 'community-voting' : 'hall-of-fame'} className="vote-seal group">
      <svg viewBox="0 0 200 200" aria-hidden="true" className="absolute inset-0 size-full">
        <defs>
          <linearGradient id="seal-foil" x1="0" y1="0.1" x2="1" y2="0.9">
            <stop offset="0" stopColor="oklch(0.7 0.12 74)" />
            <stop offset="0.3" stopColor="oklch(0.88 0.12 90)" />
            <stop offset="0.42" stopColor="oklch(0.96 0.07 97)" />
            <stop offset="0.6" stopColor="oklch(0.8 0.13 84)" />
            <stop offset="1" stopColor="oklch(0.68 0.12 72)" />
          </linearGradient>
          <path id="seal-ring" d={`M100 ${100 - RING}a${RING} ${RING} 0 1 1 -.01 0`} />
        </defs>
        <polygon points={outline} fill="url(#seal-foil)" />
        <g fill="none" stroke="var(--color-ground)" strokeWidth="1.5">
          <circle cx="100" cy="100" r="89" strokeOpacity="0.55" />
          <circle cx="100" cy="100" r="66" strokeOpacity="0.55" />
          <circle cx="100" cy="100" r="63" strokeOpacity="0.25" />
        </g>
        <text className="seal-ring">
          <textPath href="#seal-ring" textLength={RING_LENGTH - 4} lengthAdjust="spacing">
            {`${hashtag} • `.repeat(times)}
          </textPath>
        </text>
      </svg>
      <span className="relative font-display">VOTE NOW</span>
      <span className="sr-only">{hashtag}</span>
    </SectionLink>
  )
}
