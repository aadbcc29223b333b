import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { formatCount } from '../lib/format'
import { useLocalDay } from '../lib/local-day'

type Props = {
  poll: PollView
  /** Called when a user who has not voted presses an option. */
  onChoose: (optionId: string, optionTitle: string) => void
  /** Whether a vote is being sent. */
  isPending?: boolean
  /** Whether counts are updated live. */
  isLive?: boolean
  /** Why the supporter's vote is not in the counts. */
  notice?: ReactNode
  /** Shown in a form's preview until the last day is entered. */
  dayPlaceholder?: string
  ref?: Ref<HTMLElement>
}

/** An open poll. Shows counts, percentages and bars only if the server sent the counts. */
export function PollCard({ poll, onChoose, isPending = false, isLive = false, notice, dayPlaceholder, ref }: Props) {
  const endDay = useLocalDay(poll.endDate)
  const total = totalVotes(poll)
  const chosenId = poll.userVote?.optionId
  const status = useRef<HTMLParagraphElement>(null)
  const pressed = useRef<HTMLButtonElement>(null)
  // The disabled option loses the focus, which moves to the result, or back after a failure.
  useEffect(() => {
    if (isPending || !pressed.current) return
    if (chosenId === undefined) pressed.current.focus({ preventScroll: true })
    else {
      status.current?.focus({ preventScroll: true })
      // The notice's scroll margin leaves space for the toast.
      status.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' })
    }
    pressed.current = null
  }, [isPending, chosenId])
  return (
    <article ref={ref} tabIndex={-1} aria-labelledby={`poll-${poll.id}`} aria-busy={isPending} className="poll-card">
      <p className="tabular-figures flex items-center justify-between gap-4 font-label">
        <span>Open until {dayPlaceholder ?? <time dateTime={poll.endDate}>{endDay}</time>}</span>
        {isLive && <span className="poll-live">Live</span>}
      </p>
      <h4 id={`poll-${poll.id}`} className="mt-3 text-xl leading-tight font-extrabold text-balance wrap-anywhere">
        {poll.title}
      </h4>
      {poll.description && (
        <p className="poll-description mt-2 whitespace-pre-line wrap-anywhere">{poll.description}</p>
      )}
      <ul className="mt-5 border-b-[1.5px] border-background">
        {poll.options.map(({ id, title, voteCount }) => (
          <li key={id}>
            <button
              type="button"
              className="poll-option"
              disabled={isPending || chosenId !== undefined}
              data-chosen={chosenId === id || undefined}
              onClick={(event) => {
                pressed.current = event.currentTarget
                onChoose(id, title)
              }}
            >
              {(chosenId === undefined || chosenId === id) && <span aria-hidden="true" className="poll-option-box" />}
              <span className="min-w-0 grow wrap-anywhere">{title}</span>
              {voteCount !== null && (
                <span className="tabular-figures shrink-0">
                  {formatCount(voteCount)} ({votePercent(voteCount, total).toFixed(1)}%)
                </span>
              )}
            </button>
            {voteCount !== null && (
              <progress
                className="progress-bar poll-bar mb-3 w-full"
                aria-label={title}
                value={votePercent(voteCount, total)}
                max={100}
              />
            )}
          </li>
        ))}
      </ul>
      <p ref={status} tabIndex={-1} className="mt-4 text-sm font-semibold outline-none">
        {chosenId === undefined ? 'Results show once you have voted.' : 'You voted for this poll'}
      </p>
      {notice}
    </article>
  )
}

/** The sum of a poll's counts; withheld counts are zero. */
export const totalVotes = ({ options }: PollView): number =>
  options.reduce((sum, { voteCount }) => sum + (voteCount ?? 0), 0)

/** A count as a percentage of the total; 0 if the total is 0. */
export const votePercent = (votes: number, total: number): number => (total === 0 ? 0 : (votes / total) * 100)
