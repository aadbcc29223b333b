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
import { STAGES } from './desk-words'

const DAY = 86_400_000
const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<DeskChallenge>[] = [
  { id: 'title', header: 'Challenge', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'state', header: 'Stage', cell: (row) => STAGES.find(({ state }) => state === row.state)?.label },
  { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn), sortBy: (row) => row.winnerOn },
  { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
  { id: 'votes', header: 'Votes', cell: (row) => count.format(row.votes), numeric: true },
  { id: 'verses', header: 'Verses', cell: (row) => count.format(row.submissions), numeric: true },
]
const fields: readonly FieldOf<ChallengeDraft>[] = [
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
  onRun: (id: string) => void
  /** Which is being run. */
  running: string | undefined
}

/** The records of challenges: their days, prizes and rules. A new one is public as soon as it is saved. */
export function ChallengesPanel({ onRun, running }: Props) {
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
        tools={<Button onClick={() => setOpen('new')}>Open a challenge</Button>}
        actions={(row) => (
          <>
            {row.id !== running && (
              <Button look="quiet" aria-label={`Run ${row.title}`} onClick={() => onRun(row.id)}>
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
          note={open === 'new' ? ANNOUNCES : noteOf(open)}
          fields={open === 'new' ? fields : fields.filter(({ name }) => !fixedOf(open).includes(name))}
          values={open === 'new' ? blank : draftOf(open)}
          warn={warningOf}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const ANNOUNCES =
  'Saving announces it: it is on its public page at once. The stages then move by these days, or by your hand. A stage begins with its day and ends when its last day is over, where the artist is.'

/** Nobody listens to the verses of the last evening before the vote. */
const warningOf = ({ submissionsUntil, votingFrom }: Partial<ChallengeDraft>) =>
  Date.parse(votingFrom ?? '') - Date.parse(submissionsUntil ?? '') <= DAY
    ? 'No day lies between the last verse and the first vote. Where two finalists are named by then, voting opens at once, and no verse of the last evening can be among them. Otherwise you open it by hand when all are named.'
    : undefined

/** What cannot be changed any more: days that have begun, and what senders have agreed to. */
const fixedOf = ({ fixed, state, seal }: DeskChallenge): readonly string[] => [
  ...fixed,
  ...(state === 'announced' ? [] : ['prize', 'rules']),
  ...(seal ? ['title'] : []),
]

function noteOf(row: DeskChallenge): string | undefined {
  const fixed = fixedOf(row)
  return fixed.length === 0
    ? undefined
    : `Days that have begun stay, and so do prize and rules once verses are taken${row.seal ? ', and the title once the votes are fixed' : ''}: they are not in this form.`
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
