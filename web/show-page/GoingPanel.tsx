import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShowPage } from '../../worker/contract/concerts'
import { ANONYMOUS_DATA_UPDATED_AT, useMe } from '../auth/auth.queries'
import { showPage, useGoing } from '../concerts/show-page.queries'
import { Button, buttonClass } from '../ui/Button'
import { CheckField } from '../ui/Field'
import { toast } from '../ui/toast'

/** Who is going: everybody counts, and only who wants to be named is. */
export function GoingPanel({ show: { id, going }, isOver }: { show: ShowPage; isOver: boolean }) {
  const me = useMe()
  const say = useGoing(id)
  // The box shows what was asked for from the press on: the mutation tells of itself a moment later.
  const [asked, setAsked] = useState<boolean | null>(null)
  function send(word: { named: boolean } | null) {
    setAsked(word?.named ?? null)
    say.mutate(word, {
      onError: ({ message }) => toast({ title: 'That was not saved', text: message, tone: 'destructive' }),
      onSettled: () => setAsked(null),
    })
  }
  // A page that was drawn for anybody says nothing of me yet; should that never come, the answer to a press says it.
  const { isError, dataUpdatedAt } = useQuery(showPage(id))
  const isUnknown = me === undefined || (me !== null && dataUpdatedAt === ANONYMOUS_DATA_UPDATED_AT && !isError)
  const { count, names } = going
  const unnamed = count - names.length
  const isNamed = asked ?? going.me?.named === true
  const isGoing = me ? going.me?.going === true : false
  return (
    <>
      <p>
        <span className="figures font-display text-2xl text-gold">{count}</span>{' '}
        {count === 1 ? 'supporter' : 'supporters'} {isOver ? 'meant to come' : count === 1 ? 'is going' : 'are going'}
      </p>
      {names.length > 0 && (
        <ul aria-label="Going" className="mt-4 flex flex-wrap gap-2">
          {names.map((name) => (
            <li key={name} className="border border-rule px-3 py-1 text-sm break-all">
              {name}
            </li>
          ))}
          {unnamed > 0 && <li className="px-1 py-1 text-sm text-muted">and {unnamed} more</li>}
        </ul>
      )}
      {!isOver && isUnknown && <div aria-hidden="true" className="mt-5 h-12" />}
      {!isOver && me === null && (
        <p className="mt-5">
          <Link to="/login" search={{ return: `/shows/${id}` }} className={buttonClass()}>
            Log in to say that you are going
          </Link>
        </p>
      )}
      {!isOver && me && !isUnknown && (
        <div className="mt-5 grid justify-items-start gap-2">
          {!isGoing && (
            <Button aria-disabled={say.isPending} onClick={() => send({ named: false })}>
              I am going
            </Button>
          )}
          {isGoing && (
            <>
              <CheckField
                label="Show my username here"
                checked={isNamed}
                onChange={(event) => send({ named: event.target.checked })}
              />
              <Button variant="quiet" className="-ml-3" aria-disabled={say.isPending} onClick={() => send(null)}>
                I am not going after all
              </Button>
            </>
          )}
        </div>
      )}
    </>
  )
}
