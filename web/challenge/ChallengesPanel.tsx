import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type AdminChallenge, adminChallengeApi } from '../../worker/contract/admin-challenge'
import { useRemoveWithUndo } from '../admin/admin.queries'
import { ListPanel } from '../admin/ListPanel'
import { useLocalListing } from '../admin/listings'
import { ScreenLink } from '../admin/ScreenLink'
import { call } from '../api/call'
import { calendarDate, formatCount } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import type { Column } from '../ui/DataTable'
import { adminChallenges } from './challenge-admin.queries'
import { STAGES } from './challenge-admin-text'

const columns: readonly Column<AdminChallenge>[] = [
  {
    id: 'title',
    header: 'Challenge',
    cell: (row) => (
      <ScreenLink
        screen="challengeSteps"
        params={{ id: row.id }}
        className="inline-flex min-h-11 items-center font-semibold underline-offset-4 hover:text-gold-bright hover:underline"
      >
        {row.title}
      </ScreenLink>
    ),
    sortBy: (row) => row.title,
  },
  { id: 'state', header: 'Stage', cell: (row) => STAGES.find(({ state }) => state === row.state)?.label },
  { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn), sortBy: (row) => row.winnerOn },
  { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
  { id: 'votes', header: 'Votes', cell: (row) => formatCount(row.votes), numeric: true },
  { id: 'verses', header: 'Verses', cell: (row) => formatCount(row.submissions), numeric: true },
]

/** All challenges; each has a page with its steps. */
export function ChallengesPanel() {
  const listing = useLocalListing(useQuery(adminChallenges), {
    label: 'Search challenges',
    textOf: (row) => row.title,
  })
  const removeWithUndo = useRemoveWithUndo({
    keys: ['challenge'],
    remove: (id) => call(adminChallengeApi.removeChallenge, { id }),
    restore: (id) => call(adminChallengeApi.restoreChallenge, { id }),
  })
  return (
    <ListPanel
      title="All challenges"
      note="The latest finished challenge is shown in the hall of fame. One that people have taken part in can’t be deleted."
      listing={listing}
      columns={columns}
      empty="No challenges yet. Add one: you choose its dates, and each stage begins automatically."
      tools={
        <ScreenLink screen="challengeSteps" params={{ id: 'new' }} className={buttonClass()}>
          Add a challenge
        </ScreenLink>
      }
      actions={(row) => (
        <Button variant="text" aria-label={`Delete ${row.title}`} onClick={() => removeWithUndo(row.id, row.title)}>
          <Trash2 size={18} aria-hidden />
          Delete
        </Button>
      )}
    />
  )
}
