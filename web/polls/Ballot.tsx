import type { PollView } from '../../worker/contract/polls'
import { toast } from '../ui/toast'
import { PollCard } from './PollCard'
import { useVote } from './polls.queries'

/** A poll that a supporter may vote in, once. */
export function Ballot({ poll }: { poll: PollView }) {
  const vote = useVote(poll.id)
  const cast = (optionId: string) =>
    vote.mutate(optionId, {
      onSuccess: ({ pointsAwarded }) => toast({ title: 'Vote submitted!', text: `+${pointsAwarded} points earned` }),
      onError: (error) =>
        toast({
          title: 'Vote failed',
          text: error.message || 'You may have already voted in this poll',
          tone: 'destructive',
        }),
    })
  return <PollCard poll={poll} onChoose={cast} pending={vote.isPending} />
}
