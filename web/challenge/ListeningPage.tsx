import '../styles/community.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { useListKeysSetting } from '../admin/list/list-keys'
import { RecordHeader } from '../admin/RecordHeader'
import { useScreenParam, useScreenSearch } from '../admin/ScreenLink'
import { formatCount } from '../lib/format'
import { Button } from '../ui/Button'
import { CheckField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { adminChallenges } from './challenge-admin.queries'
import { type LeaveVerse, ListenCard } from './ListenCard'
import { LISTENING_KEYS, type ListeningAction, useListeningKeys } from './listening-keys'
import { listeningQueue } from './verse-ratings.queries'

/** /admin/challenge/$id/listen: a challenge's verses one at a time, those the member has not rated first. */
export function ListeningPage() {
  const id = useScreenParam('id')
  const verses = useQuery(listeningQueue(id))
  const challenges = useQuery(adminChallenges)
  const challenge = challenges.data?.find((row) => row.id === id)
  return (
    <>
      <RecordHeader
        back="challengeSteps"
        params={{ id }}
        title={challenge ? `Listening: ${challenge.title}` : 'Listening'}
      />
      <QueryBoundary
        query={challenges}
        loading={{ label: 'Loading the challenge', className: 'h-96' }}
        error="The challenge could not be loaded."
      >
        {() => (
          <QueryBoundary
            query={verses}
            loading={{ label: 'Loading the verses', className: 'h-96' }}
            error="The verses could not be loaded."
          >
            {(rows) =>
              challenge && rows.length > 0 ? (
                <Queue key={id} challenge={challenge} verses={rows} />
              ) : (
                <p className="border border-dashed border-rule-strong p-6 text-muted">
                  {challenge
                    ? 'No verses yet. They appear here as soon as someone sends one.'
                    : 'This challenge was deleted. Go back to the challenges to open another one.'}
                </p>
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  )
}

type QueueProps = { challenge: AdminChallenge; verses: readonly VerseSubmission[] }

function Queue({ challenge, verses }: QueueProps) {
  const [{ verse: chosenId }, setSearch] = useScreenSearch()
  // The order of the first load stays: a rated verse must not jump away.
  const [order, setOrder] = useState(() => verses.map(({ id }) => id))
  const [isOnlyUnrated, setOnlyUnrated] = useState(false)
  const [hasKeys, setHasKeys] = useListKeysSetting()
  const container = useRef<HTMLDivElement>(null)
  const leave = useRef<LeaveVerse>(null)
  const isPlayingOn = useRef(false)

  const byId = new Map(verses.map((verse) => [verse.id, verse]))
  const all = [...order, ...verses.map(({ id }) => id).filter((id) => !order.includes(id))].flatMap(
    (id) => byId.get(id) ?? [],
  )
  const openId = chosenId ?? all[0]?.id
  // The open verse stays until the next one, also once it is rated.
  const queue = isOnlyUnrated ? all.filter(({ id, myRating }) => myRating === null || id === openId) : all
  const index = Math.max(
    0,
    queue.findIndex(({ id }) => id === openId),
  )
  const current = queue[index]
  const ratedCount = verses.filter(({ myRating }) => myRating !== null).length

  useEffect(() => {
    if (!current || !isPlayingOn.current) return
    isPlayingOn.current = false
    container.current?.querySelector<HTMLElement>('.verse-play')?.click()
  }, [current])

  const show = async (verse: VerseSubmission | undefined) => {
    if (!verse || (leave.current && !(await leave.current()))) return
    isPlayingOn.current = container.current?.querySelector('audio')?.paused === false
    setSearch({ verse: verse.id })
  }
  const skip = async () => {
    const next = queue[index + 1]
    if (!current || !next) return
    await show(next)
    setOrder([...all.map(({ id }) => id).filter((id) => id !== current.id), current.id])
  }
  const press = (selector: string) => container.current?.querySelector<HTMLElement>(selector)?.click()
  const act = (action: ListeningAction) => {
    if (action === 'next') void show(queue[index + 1])
    else if (action === 'previous') void show(queue[index - 1])
    else if (action === 'skip') void skip()
    else if (action === 'play') press('.verse-play')
    else if (action === 'pick') press('[data-pick]')
    else press(`[data-rate="${action.rate}"]`)
  }
  useListeningKeys(hasKeys, act)
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div ref={container} className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p role="status" className="tabular-figures font-label">
            {queue.length === 0 ? 'All rated' : `Verse ${index + 1} of ${formatCount(queue.length)}`}
            <span className="ml-4 text-muted">
              {formatCount(ratedCount)} of {formatCount(verses.length)} rated by you
            </span>
          </p>
          <CheckField
            label="Only verses I haven’t rated"
            checked={isOnlyUnrated}
            onChange={(event) => setOnlyUnrated(event.target.checked)}
          />
        </div>
        <progress
          aria-label="Verses you have rated"
          className="h-1.5 w-full accent-gold"
          max={verses.length}
          value={ratedCount}
        />
        {current ? (
          <ListenCard
            key={current.id}
            verse={current}
            challenge={challenge}
            leave={leave}
            onPicked={() => act('next')}
          />
        ) : (
          <p className="border border-dashed border-rule-strong p-6 text-muted">
            You have rated every verse. Show them all again to change a rating, or compare the finalists.
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button aria-disabled={index === 0} onClick={() => act('previous')}>
            Previous verse
          </Button>
          <Button aria-disabled={index >= queue.length - 1} onClick={() => act('next')}>
            Next verse
          </Button>
          <Button variant="text" aria-disabled={index >= queue.length - 1} onClick={() => act('skip')}>
            Skip for now
          </Button>
        </div>
      </div>
      <section aria-label="Keys" className="border-t border-rule pt-4">
        <h2 className="font-display text-lg">Keys</h2>
        <dl className="mt-4 grid gap-2">
          {LISTENING_KEYS.map(({ keys, text }) => (
            <div key={keys} className="grid grid-cols-[5rem_1fr] items-baseline gap-4">
              <dt>
                <kbd className="rounded-xs border border-rule-strong px-2 py-0.5 text-sm">{keys}</kbd>
              </dt>
              <dd className="text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-4">
          <CheckField label="Use these keys" checked={hasKeys} onChange={(event) => setHasKeys(event.target.checked)} />
        </div>
      </section>
    </div>
  )
}
