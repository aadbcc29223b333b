import { useQuery } from '@tanstack/react-query'
import {
  type AdminChallenge,
  adminChallengeApi,
  ChallengeDraft,
  toChallengeDraft,
} from '../../worker/contract/admin-challenge'
import { type CrudDefinition, CrudPanel } from '../admin/CrudPanel'
import { useLocalListing } from '../admin/listings'
import type { FieldDefinition } from '../admin/RecordForm'
import { calendarDate, formatCount } from '../lib/format'
import { Button } from '../ui/Button'
import { AudioField } from '../uploads/AudioField'
import { adminChallenges } from './challenge-admin.queries'
import { STAGES } from './challenge-admin-text'

const DAY_MS = 86_400_000
const fields: readonly FieldDefinition<ChallengeDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'prize', label: 'Prize', wide: true },
  {
    name: 'rules',
    label: 'Rules',
    kind: 'textarea',
    optional: true,
    hint: 'Leave an empty line between paragraphs. Rules, prize and beat can’t change once submissions open.',
  },
  {
    name: 'beat',
    label: 'Beat',
    kind: 'custom',
    render: ({ value, onChange, error, onBusy }) => (
      <AudioField
        label="Beat"
        emptyText="No beat. The challenge page plays one here and offers it as a download."
        value={(value as string | null | undefined) ?? null}
        {...{ onChange, error, onBusy }}
      />
    ),
  },
  { name: 'submissionsFrom', label: 'Verses from', kind: 'date' },
  { name: 'submissionsUntil', label: 'Verses until', kind: 'date' },
  { name: 'finalistsOn', label: 'Finalists on', kind: 'date' },
  { name: 'votingFrom', label: 'Voting from', kind: 'date' },
  { name: 'votingUntil', label: 'Voting until', kind: 'date' },
  { name: 'winnerOn', label: 'Winner on', kind: 'date' },
  { name: 'closedOn', label: 'Prize awarded on', kind: 'date' },
]

const challenges: CrudDefinition<AdminChallenge, ChallengeDraft> = {
  title: 'Challenge records',
  note: 'The latest finished challenge is shown in the hall of fame.',
  noun: 'challenge',
  keys: ['challenge'],
  useListing: () =>
    useLocalListing(useQuery(adminChallenges), { label: 'Search challenges', textOf: (row) => row.title }),
  columns: [
    { id: 'title', header: 'Challenge', cell: (row) => row.title, sortBy: (row) => row.title },
    { id: 'state', header: 'Stage', cell: (row) => STAGES.find(({ state }) => state === row.state)?.label },
    { id: 'winner', header: 'Winner on', cell: (row) => calendarDate(row.winnerOn), sortBy: (row) => row.winnerOn },
    { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, numeric: true },
    { id: 'votes', header: 'Votes', cell: (row) => formatCount(row.votes), numeric: true },
    { id: 'verses', header: 'Verses', cell: (row) => formatCount(row.submissions), numeric: true },
  ],
  nameOf: (row) => row.title,
  form: {
    schema: ChallengeDraft,
    fields: (row) => (row ? fields.filter(({ name }) => !lockedFields(row).includes(name)) : fields),
    note: (row) => (row ? lockedNote(row) : NEW_CHALLENGE_NOTE),
    warn: scheduleWarning,
    toDraft: toChallengeDraft,
    blank: { rules: '', beat: null },
  },
  add: adminChallengeApi.addChallenge,
  update: adminChallengeApi.updateChallenge,
  remove: adminChallengeApi.removeChallenge,
  restore: adminChallengeApi.restoreChallenge,
}

/** The challenges' dates, prizes and rules; `onSelect` opens one in the challenge manager above. */
export function ChallengesPanel({
  onSelect,
  selectedId,
}: {
  onSelect: (id: string) => void
  selectedId: string | undefined
}) {
  return (
    <CrudPanel
      definition={challenges}
      actions={(row, standardActions) => (
        <>
          {row.id !== selectedId && (
            <Button variant="text" aria-label={`Run ${row.title}`} onClick={() => onSelect(row.id)}>
              Run
            </Button>
          )}
          {standardActions}
        </>
      )}
    />
  )
}

const NEW_CHALLENGE_NOTE =
  'Saving publishes the challenge page right away. Each stage begins on its first day and ends when its last day is over, in the artist’s time zone. You can also move a stage by hand.'

/** Without a day in between, verses of the last evening cannot become finalists. */
function scheduleWarning({ submissionsUntil, votingFrom }: Partial<ChallengeDraft>) {
  return Date.parse(votingFrom ?? '') - Date.parse(submissionsUntil ?? '') <= DAY_MS
    ? 'There is no day between the last verse and the first vote. If two finalists are named by then, voting opens right away, without verses from the last evening. Otherwise, open voting by hand once all are named.'
    : undefined
}

/** Fields that can no longer change: past dates, what senders have agreed to, and the title of a sealed result. */
const lockedFields = ({ fixed, state, seal, beat }: AdminChallenge): readonly string[] => [
  ...fixed,
  ...(state === 'announced' ? [] : ['prize', 'rules', ...(beat ? ['beat'] : [])]),
  ...(seal ? ['title'] : []),
]

function lockedNote(row: AdminChallenge): string | undefined {
  const fixed = lockedFields(row)
  return fixed.length === 0
    ? undefined
    : `Dates that have passed can’t change, nor can the prize, the rules and the beat once submissions open${row.seal ? ', or the title once the result is sealed' : ''}. This form leaves them out.`
}
