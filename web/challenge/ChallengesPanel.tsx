import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChallengeDraft, challengeDeskApi, type DeskChallenge } from '../../worker/contract/challenge-desk'
import { useRemoval, useSave } from '../admin/content.queries'
import { deskChallenges } from '../admin/desk-lists'
import { Panel } from '../admin/Panel'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldOf } from '../admin/RecordField'
import { RowActions } from '../admin/RowActions'
import { useWholeList } from '../admin/useListing'
import { call } from '../api/call'
import { calendarDate } from '../lib/calendar-date'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<DeskChallenge>[] = [
  { id: 'title', header: 'Challenge', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn), sortBy: (row) => row.winnerOn },
  { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
  { id: 'votes', header: 'Votes', cell: (row) => count.format(row.votes), numeric: true },
  { id: 'verses', header: 'Verses', cell: (row) => count.format(row.submissions), numeric: true },
]
const fields: readonly FieldOf<ChallengeDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'prize', label: 'Prize' },
  { name: 'submissionsFrom', label: 'Verses from', kind: 'date' },
  { name: 'submissionsUntil', label: 'Verses until', kind: 'date' },
  { name: 'finalistsOn', label: 'Finalists on', kind: 'date' },
  { name: 'votingFrom', label: 'Voting from', kind: 'date' },
  { name: 'votingUntil', label: 'Voting until', kind: 'date' },
  { name: 'winnerOn', label: 'Winner on', kind: 'date' },
  { name: 'closedOn', label: 'Closed on', kind: 'date' },
  { name: 'rules', label: 'Rules', kind: 'area', optional: true },
]
const blank: Partial<ChallengeDraft> = { rules: '' }

/** The records of challenges: their days, prizes and finalists. */
export function ChallengesPanel() {
  const [open, setOpen] = useState<DeskChallenge | 'new' | null>(null)
  const challenges = useQuery(deskChallenges)
  const listing = useWholeList(challenges, { label: 'Search challenges', textOf: (row) => row.title })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: ChallengeDraft }) =>
      id === null
        ? call(challengeDeskApi.addChallenge, { body: draft })
        : call(challengeDeskApi.changeChallenge, { id, body: draft }),
    ['challenge'],
  )
  const remove = useRemoval(
    'challenge',
    (id) => call(challengeDeskApi.removeChallenge, { id }),
    (id) => call(challengeDeskApi.restoreChallenge, { id }),
  )
  return (
    <Panel title="Challenge records" note="The latest finished one is the hall of fame.">
      <DataTable
        caption="Challenge records"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No challenge yet."
        tools={<Button onClick={() => setOpen('new')}>Add a challenge</Button>}
        actions={(row) => (
          <RowActions name={row.title} onEdit={() => setOpen(row)} onDelete={() => remove(row.id, row.title)} />
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new challenge' : open.title}
          schema={ChallengeDraft}
          fields={fields}
          values={open === 'new' ? blank : draftOf(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const draftOf = (row: DeskChallenge): ChallengeDraft => ({
  title: row.title,
  prize: row.prize,
  rules: row.rules,
  submissionsFrom: row.submissionsFrom,
  submissionsUntil: row.submissionsUntil,
  finalistsOn: row.finalistsOn,
  votingFrom: row.votingFrom,
  votingUntil: row.votingUntil,
  winnerOn: row.winnerOn,
  closedOn: row.closedOn,
})
