import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { useSession } from '../auth/auth.queries'
import { Skeleton } from '../ui/Skeleton'
import { ChallengePart } from './ChallengePart'
import { myChallenge } from './now.queries'
import { OwnVerse } from './OwnVerse'
import { VerseForm } from './VerseForm'

/** While verses are taken: the form, what has become of it, or the verse that one has sent already. */
export function VersePart({ challenge }: { challenge: CurrentChallenge }) {
  const { me, isPending } = useSession()
  const mine = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const waits = isPending || (Boolean(me) && mine.isPending)
  return (
    <ChallengePart title="Send your verse">
      {waits ? (
        <Skeleton className="h-96" label="Fetching your verse" />
      ) : me && mine.data?.verse ? (
        <OwnVerse
          challenge={challenge}
          verse={mine.data.verse}
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
    </ChallengePart>
  )
}
