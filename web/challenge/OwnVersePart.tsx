import { useQuery } from '@tanstack/react-query'
import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { useMe } from '../auth/auth.queries'
import { ChallengePart } from './ChallengePart'
import { myChallenge } from './now.queries'
import { OwnVerse } from './OwnVerse'

/** While verses are listened to: the own one, for who sent one. */
export function OwnVersePart({ challenge }: { challenge: CurrentChallenge }) {
  const me = useMe()
  const { data } = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  if (!me || !data?.verse)
    return challenge.finalists.length > 0 ? null : (
      <ChallengePart title="No more verses">
        <p className="max-w-prose text-lg">
          Thank you to everybody who sent one. The team listens to each of them; the finalists play here.
        </p>
      </ChallengePart>
    )
  return (
    <ChallengePart title="Your verse">
      <OwnVerse challenge={challenge} verse={data.verse} sentFrom={null} />
    </ChallengePart>
  )
}
