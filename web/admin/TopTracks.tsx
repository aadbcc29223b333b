import type { Overview } from '../../worker/contract/admin'

const count = new Intl.NumberFormat('en-US')

/** The most played tracks, with their covers. */
export function TopTracks({ tracks }: { tracks: Overview['topTracks'] }) {
  if (tracks.length === 0) return <p className="text-muted">No track has been played yet.</p>
  return (
    <ol className="grid">
      {tracks.map(({ id, title, artist, plays, likes, coverUrl }, place) => (
        <li key={id} className="flex items-center gap-4 border-b border-rule py-3">
          <span aria-hidden="true" className="figures w-6 font-label text-gold">
            {place + 1}
          </span>
          <img
            src={coverUrl.startsWith('/media/') ? `${coverUrl}?w=160` : coverUrl}
            alt=""
            width={48}
            height={48}
            loading="lazy"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{title}</span>
            <span className="block text-sm text-muted">{artist}</span>
          </span>
          <span className="figures text-right text-sm">
            <span className="block">{count.format(plays)} plays</span>
            <span className="block text-muted">{count.format(likes)} likes</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
