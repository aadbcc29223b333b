import { Trash2 } from 'lucide-react'
import { type AdminChallenge, adminChallengeApi } from '../../worker/contract/admin-challenge'
import { useRemoveWithUndo } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { ScreenLink, toScreen } from '../admin/ScreenLink'
import { call } from '../api/call'
import { calendarDate, formatCount } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { PHASES } from './challenge-admin-text'

const challenges: AdminListDefinition<'/api/admin/challenges', AdminChallenge> = {
  name: 'challenge.all',
  title: 'All challenges',
  endpoint: adminChallengeApi.challenges,
  nameOf: (row) => row.title,
  linkOf: ({ id }) => toScreen('challengeSteps', { params: { id } }),
  columns: [
    { id: 'title', header: 'Challenge', cell: (row) => row.title },
    { id: 'state', header: 'Stage', cell: (row) => PHASES.find(({ state }) => state === row.state)?.label },
    { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn) },
    { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
    { id: 'votes', header: 'Votes', cell: (row) => formatCount(row.votes), numeric: true },
    { id: 'verses', header: 'Verses', cell: (row) => formatCount(row.submissions), numeric: true },
  ],
  empty: 'No challenges yet. Add one: you choose its dates, and each stage begins automatically.',
}

/** All challenges; each has a page with its steps. */
export function ChallengesPanel() {
  const removeWithUndo = useRemoveWithUndo({
    keys: ['challenge'],
    remove: (id) => call(adminChallengeApi.removeChallenge, { id }),
    restore: (id) => call(adminChallengeApi.restoreChallenge, { id }),
  })
  return (
    <AdminList
      list={challenges}
      note="The latest finished challenge is shown in the hall of fame. One that people have taken part in can’t be deleted."
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
