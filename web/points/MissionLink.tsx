import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PointsAction } from '../../worker/contract/points'
import { SectionLink } from '../layout/sections'

type Target = { label: string } & ({ section: string } | Page | { href: string })
type Page = { to: '/music' | '/shows' | '/account' | '/community' | '/hub' | '/merch'; hash?: string }

/** Where users perform each action; none for `referral_signup`, which happens with the sign-up only. */
const TARGETS: Partial<Record<PointsAction, Target>> = {
  poll_vote: { label: 'Vote in a poll', to: '/hub', hash: 'community-voting' },
  poll_created: { label: 'Create a poll', to: '/hub', hash: 'community-voting' },
  track_stream: { label: 'Listen', to: '/music' },
  track_like: { label: 'Find a track to like', to: '/music' },
  newsletter_signup: { label: 'Join the newsletter', section: 'newsletter' },
  community_post: { label: 'Write a post', to: '/community' },
  check_in: { label: 'Find a show', to: '/shows' },
  profile_complete: { label: 'Go to your account', to: '/account' },
  merch_purchase: { label: 'See the merch', to: '/merch' },
  referral_bonus: { label: 'Share your link', href: '#refer-a-friend' },
}

/** A link to where the mission's action is performed. Its press target covers the mission's row. */
export function MissionLink({ action }: { action: string }) {
  const target = TARGETS[action as PointsAction]
  if (!target) return null
  const className = 'mission-link'
  const children: ReactNode = (
    <>
      {target.label}
      <ArrowRight size={18} aria-hidden />
    </>
  )
  if ('section' in target)
    return (
      <SectionLink section={target.section} className={className}>
        {children}
      </SectionLink>
    )
  if ('to' in target)
    return (
      <Link to={target.to} {...(target.hash && { hash: target.hash })} className={className}>
        {children}
      </Link>
    )
  return (
    <a href={target.href} className={className}>
      {children}
    </a>
  )
}
