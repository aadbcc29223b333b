import type { Me } from '../../worker/contract/auth'
import { Missions } from '../points/Missions'
import { ReferAFriend } from '../points/ReferAFriend'

/** What a supporter can set out to do: bring a friend, and the missions. */
export function SupporterMissions({ me }: { me: Me }) {
  return (
    <div className="hub-missions">
      <ReferAFriend me={me} />
      <Missions />
    </div>
  )
}
