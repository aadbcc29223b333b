import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { useSession } from '../auth/auth.queries'
import { Skeleton } from '../ui/Skeleton'
import { ChallengePageSection } from './ChallengePageSection'
import { myChallenge } from './challenge.queries'
import { MyVerse } from './MyVerse'
import { VerseForm } from './VerseForm'

/** While verses are taken: the form, what has become of it, or the verse that one has sent already. */
export function VerseFormSection({ challenge }: { challenge: PublicChallenge }) {
  const { me, isPending } = useSession()
  const myChallengeQuery = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const isLoading = isPending || (Boolean(me) && myChallengeQuery.isPending)
  return (
    <ChallengePageSection title="Send your verse">
      {isLoading ? (
        <Skeleton className="h-96" label="Fetching your verse" />
      ) : me && myChallengeQuery.data?.verse ? (
        <MyVerse
          challenge={challenge}
          verse={myChallengeQuery.data.verse}
          sentFrom={sentFrom}
          onWithdrawn={() => setSentFrom(null)}
        />
      ) : sentFrom ? (
        <div role="status" className="challenge-done">
          <p className="font-display text-2xl">Your verse is in</p>
          <p className="mt-3 max-w-prose wrap-anywhere">
            Thank you. A mail to <strong className="font-semibold">{sentFrom}</strong> says so too, with the way to take
            it back. Nothing of it is public unless you are named a finalist.
          </p>
        </div>
      ) : (
        // An own verse that could not be fetched keeps nobody from sending one: the server knows a second one.
        <VerseForm challenge={challenge} email={me?.email ?? ''} onSent={setSentFrom} />
      )}
    </ChallengePageSection>
  )
}
