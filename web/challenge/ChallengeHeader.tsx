import type { PublicChallenge } from '../../worker/contract/challenge'
import { formatDuration, STATE_LABELS, statusText } from './challenge-text'

/** What the challenge is called, where it stands and how much time is left. */
export function ChallengeHeader({ challenge, now }: { challenge: PublicChallenge; now: number }) {
  const { text, countdown } = statusText(challenge, now)
  // 'A Challenge: Second Half' is a title and its second line: a colon that no line has room for would stand alone.
  const [title = '', ...rest] = challenge.title.split(': ')
  const subtitle = rest.join(': ')
  return (
    <header className="challenge-head">
      <div aria-hidden="true" className="disc disc-gold challenge-disc" />
      <p className="font-label text-gold">Verse challenge</p>
      <h1 className="mt-3 max-w-5xl font-display text-title wrap-anywhere text-balance">
        {title}
        {subtitle !== '' && (
          <>
            <span className="sr-only">: </span>
            <span className="mt-2 block text-[0.6em] leading-tight">{subtitle}</span>
          </>
        )}
      </h1>
      <div className="mt-8 flex flex-wrap items-end gap-x-14 gap-y-6">
        <div role="status" className="max-w-prose">
          <p className="inline-block bg-gold px-3 py-1 font-label text-ground">{STATE_LABELS[challenge.state]}</p>
          <p className="figures mt-4 text-lg text-balance">{text}</p>
        </div>
        {countdown && (
          <p>
            <span className="figures foil-text block font-display text-[clamp(2.5rem,1.6rem+3vw,4.5rem)] leading-none">
              {formatDuration(Date.parse(countdown.at) - now)}
            </span>
            <span className="mt-2 block font-label text-muted">{countdown.label}</span>
          </p>
        )}
      </div>
    </header>
  )
}
