import { Link } from '@tanstack/react-router'
import type { Me } from '../../worker/contract/auth'
import { PointsRing } from '../points/PointsRing'
import { buttonClass } from '../ui/Button'

/** Greets a supporter, with the points total and the level. */
export function HubWelcome({ me, headingLevel }: { me: Me; headingLevel: 'h2' | 'h3' }) {
  return (
    <div className="hub-welcome">
      <p className="hub-name font-display">
        <span className="block font-label text-muted">Welcome,</span> {me.username}
      </p>
      <PointsRing points={me.points} headingLevel={headingLevel} />
    </div>
  )
}

/** The advantages of an account, with a sign-up link. */
export function HubInvitation({ withLogin = false }: { withLogin?: boolean }) {
  return (
    <div>
      <p className="font-display text-[clamp(2rem,1rem+3.4vw,3.75rem)] leading-[0.98] text-balance">
        Vote, stream, show up. <span className="block foil-text">It all counts.</span>
      </p>
      <p className="mt-4 max-w-[34rem] text-muted md:mt-5 md:text-lg">
        Points for every vote, every first listen and every night at the door. An account is free.
      </p>
      <p className="mt-6 flex flex-wrap gap-3 max-xs:gap-2 max-xs:[&>a]:px-3! max-xs:[&>a]:tracking-normal! md:mt-7">
        <Link to="/signup" search={withLogin ? { return: '/hub' } : {}} className={buttonClass('primary')}>
          Start Exploring
        </Link>
        {withLogin ? (
          <Link to="/login" search={{ return: '/hub' }} className={buttonClass()}>
            Login
          </Link>
        ) : (
          <Link to="/hub" className={buttonClass()}>
            Open the hub
          </Link>
        )}
      </p>
    </div>
  )
}
