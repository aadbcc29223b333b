import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { buttonClass } from '../ui/Button'

/** In place of the controls when a track is for a higher tier. */
export function LockedTrack() {
  return (
    <div className="border border-rule-strong p-5">
      <p className="mb-4 flex items-center gap-3">
        <Lock size={20} aria-hidden className="shrink-0 text-gold" />
        This one is kept for Silver and Gold supporters.
      </p>
      <Link to="/subscribe" search={{ tier: 'silver' }} className={buttonClass('foil')}>
        See the tiers
      </Link>
    </div>
  )
}
