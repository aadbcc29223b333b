import type { PollView } from '../../worker/contract/polls'
import { useLocalDay } from '../lib/local-day'

type Props = {
  poll: PollView
  /** What choosing an option does; without it the options are read only. */
  onChoose?: (optionId: string) => void
}

/** A poll as a ballot paper. Counts stand on it only when the server sent them. */
export function PollCard({ poll, onChoose }: Props) {
  const ends = useLocalDay(poll.endDate)
  return (
    <article aria-labelledby={`poll-${poll.id}`} className="ballot">
      <p className="figures font-label">
        Open until <time dateTime={poll.endDate}>{ends}</time>
      </p>
      <h4 id={`poll-${poll.id}`} className="mt-3 text-xl leading-tight font-extrabold text-balance">
        {poll.title}
      </h4>
      {poll.description && <p className="mt-2">{poll.description}</p>}
      <ul className="mt-5 border-b-[1.5px] border-ground">
        {poll.options.map(({ id, title, voteCount }) => (
          <li key={id}>
            {onChoose ? (
              <button type="button" className="ballot-option" onClick={() => onChoose(id)}>
                <span aria-hidden="true" className="ballot-box" />
                {title}
              </button>
            ) : (
              <p className="ballot-option" data-chosen={poll.userVote?.optionId === id || undefined}>
                {poll.userVote?.optionId === id && <span aria-hidden="true" className="ballot-box" />}
                {title}
                {voteCount !== null && <span className="figures ml-auto font-semibold">{voteCount}</span>}
              </p>
            )}
          </li>
        ))}
      </ul>
      {poll.userVote ? (
        <p className="mt-4 text-sm font-semibold">You voted for this poll</p>
      ) : (
        <p className="mt-4 text-sm">The counts show once you have voted.</p>
      )}
    </article>
  )
}
