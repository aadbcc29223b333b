import { useQuery } from '@tanstack/react-query'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { useMe } from '../auth/auth.queries'
import { ChallengePageSection } from './ChallengePageSection'
import { myChallenge } from './challenge.queries'
import { MyVerse } from './MyVerse'

/** While verses are listened to: the own one, for who sent one. */
export function MyVerseSection({ challenge }: { challenge: PublicChallenge }) {
  const me = useMe()
  const { data } = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  if (!me || !data?.verse)
    return challenge.finalists.length > 0 ? null : (
      <ChallengePageSection title="No more verses">
        <p className="max-w-prose text-lg">
          Thank you to everybody who sent one. The team listens to each of them; the finalists play here.
        </p>
      </ChallengePageSection>
    )
  return (
    <ChallengePageSection title="Your verse">
      <MyVerse challenge={challenge} verse={data.verse} sentFrom={null} />
    </ChallengePageSection>
  )
}
