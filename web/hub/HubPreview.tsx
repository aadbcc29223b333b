import { Link } from '@tanstack/react-router'
import { PollCard } from '../polls/PollCard'
import { buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { CommunityVoting } from './CommunityVoting'
import { MissionPreview } from './MissionPreview'
import { TopSupporters } from './TopSupporters'

const toastLoginRequired = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })

/** The hub from outside: who leads, what can be voted on and what it earns. A vote asks to log in (ruling 31). */
export function HubPreview() {
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-7 lg:mb-0">
        <Teaser />
      </div>
      <div className="col-span-full lg:col-span-4 lg:col-start-9">
        <TopSupporters />
      </div>
      <CommunityVoting card={(poll) => <PollCard key={poll.id} poll={poll} onChoose={toastLoginRequired} />} />
      <MissionPreview />
    </>
  )
}

function Teaser() {
  return (
    <div className="flex min-h-72 flex-col items-start justify-end">
      <p className="font-display text-[clamp(2rem,1rem+3.4vw,3.75rem)] leading-[0.98] text-balance">
        Vote, stream, show up. <span className="block foil-text">It all counts.</span>
      </p>
      <p className="mt-5 max-w-[34rem] text-lg text-muted">
        Points for every vote, every first listen and every night at the door. An account is free.
      </p>
      <Link to="/signup" search={{}} className={buttonClass('foil', 'mt-7')}>
        Start Exploring
      </Link>
    </div>
  )
}
