import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminChallenge, adminChallengeApi, ChallengeDraft } from '../../worker/contract/admin-challenge'
import { adminChallenges } from '../admin/admin-lists.queries'
import { useRemoveWithUndo, useSave } from '../admin/content.queries'
import { Panel } from '../admin/Panel'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldDefinition } from '../admin/RecordField'
import { RowActions } from '../admin/RowActions'
import { useLocalListing } from '../admin/useTableListing'
import { call } from '../api/call'
import { calendarDate } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { STAGES } from './challenge-admin-text'

const DAY_MS = 86_400_000
const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<AdminChallenge>[] = [
  { id: 'title', header: 'Challenge', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'state', header: 'Stage', cell: (row) => STAGES.find(({ state }) => state === row.state)?.label },
  { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn), sortBy: (row) => row.winnerOn },
  { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
  { id: 'votes', header: 'Votes', cell: (row) => count.format(row.votes), numeric: true },
  { id: 'verses', header: 'Verses', cell: (row) => count.format(row.submissions), numeric: true },
]
const fields: readonly FieldDefinition<ChallengeDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'prize', label: 'Prize', wide: true },
  {
    name: 'rules',
    label: 'Rules',
    kind: 'area',
    optional: true,
    hint: 'An empty line begins a paragraph. They and the prize stay once verses are taken.',
  },
  { name: 'submissionsFrom', label: 'Verses from', kind: 'date' },
  { name: 'submissionsUntil', label: 'Verses until', kind: 'date' },
  { name: 'finalistsOn', label: 'Finalists on', kind: 'date' },
  { name: 'votingFrom', label: 'Voting from', kind: 'date' },
  { name: 'votingUntil', label: 'Voting until', kind: 'date' },
  { name: 'winnerOn', label: 'Winner on', kind: 'date' },
  { name: 'closedOn', label: 'Prize handed over on', kind: 'date' },
]
const blank: Partial<ChallengeDraft> = { rules: '' }

type Props = {
  /** Chooses one to be run. */
  onSelect: (id: string) => void
  /** Which is being run. */
  selectedId: string | undefined
}

/** The records of challenges: their days, prizes and rules. A new one is public as soon as it is saved. */
export function ChallengesPanel({ onSelect, selectedId }: Props) {
  const [open, setOpen] = useState<AdminChallenge | 'new' | null>(null)
  const challenges = useQuery(adminChallenges)
  const listing = useLocalListing(challenges, { label: 'Search challenges', textOf: (row) => row.title })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: ChallengeDraft }) =>
      id === null
        ? call(adminChallengeApi.addChallenge, { body: draft })
        : call(adminChallengeApi.updateChallenge, { id, body: draft }),
    ['challenge'],
  )
  const remove = useRemoveWithUndo(
    'challenge',
    (id) => call(adminChallengeApi.removeChallenge, { id }),
    (id) => call(adminChallengeApi.restoreChallenge, { id }),
  )
  return (
    <Panel title="Challenge records" note="The latest finished one is the hall of fame.">
      <DataTable
        caption="Challenge records"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No challenge yet."
        tools={<Button onClick={() => setOpen('new')}>Open a challenge</Button>}
        actions={(row) => (
          <>
            {row.id !== selectedId && (
              <Button variant="quiet" aria-label={`Run ${row.title}`} onClick={() => onSelect(row.id)}>
                Run
              </Button>
            )}
            <RowActions name={row.title} onEdit={() => setOpen(row)} onDelete={() => remove(row.id, row.title)} />
          </>
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new challenge' : open.title}
          schema={ChallengeDraft}
          note={open === 'new' ? NEW_CHALLENGE_NOTE : lockedNote(open)}
          fields={open === 'new' ? fields : fields.filter(({ name }) => !lockedFields(open).includes(name))}
          values={open === 'new' ? blank : toDraft(open)}
          warn={scheduleWarning}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const NEW_CHALLENGE_NOTE =
  'Saving announces it: it is on its public page at once. The stages then move by these days, or by your hand. A stage begins with its day and ends when its last day is over, where the artist is.'

/** Nobody listens to the verses of the last evening before the vote. */
const scheduleWarning = ({ submissionsUntil, votingFrom }: Partial<ChallengeDraft>) =>
  Date.parse(votingFrom ?? '') - Date.parse(submissionsUntil ?? '') <= DAY_MS
    ? 'No day lies between the last verse and the first vote. Where two finalists are named by then, voting opens at once, and no verse of the last evening can be among them. Otherwise you open it by hand when all are named.'
    : undefined

/** What cannot be changed any more: days that have begun, and what senders have agreed to. */
const lockedFields = ({ fixed, state, seal }: AdminChallenge): readonly string[] => [
  ...fixed,
  ...(state === 'announced' ? [] : ['prize', 'rules']),
  ...(seal ? ['title'] : []),
]

function lockedNote(row: AdminChallenge): string | undefined {
  const fixed = lockedFields(row)
  return fixed.length === 0
    ? undefined
    : `Days that have begun stay, and so do prize and rules once verses are taken${row.seal ? ', and the title once the votes are fixed' : ''}: they are not in this form.`
}

const toDraft = (row: AdminChallenge): ChallengeDraft => ({
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
