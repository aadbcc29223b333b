import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import {
  type AdminMission,
  adminMissionsApi,
  MISSION_ACTIONS,
  MissionDraft,
} from '../../worker/contract/admin-missions'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { adminMissions } from './admin-lists.queries'
import { useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { useLocalListing } from './useTableListing'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<AdminMission>[] = [
  { id: 'title', header: 'Mission', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'asks', header: 'Asks', cell: describeGoal, sortBy: (row) => MISSION_ACTIONS[row.action] },
  { id: 'points', header: 'Points', cell: (row) => row.points, sortBy: (row) => row.points, numeric: true },
  {
    id: 'paid',
    header: 'Fulfilled',
    cell: (row) => count.format(row.timesPaid),
    sortBy: (row) => row.timesPaid,
    numeric: true,
  },
  { id: 'position', header: 'Place', cell: (row) => row.position, sortBy: (row) => row.position, numeric: true },
  { id: 'state', header: 'State', cell: (row) => (row.isActive ? 'Runs' : 'Ended') },
]

const textFields: readonly FieldDefinition<MissionDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'description', label: 'Description', wide: true, hint: 'One sentence, under the title.' },
]
const positionField: FieldDefinition<MissionDraft> = {
  name: 'position',
  label: 'Place',
  kind: 'figure',
  hint: '1 stands first.',
}
const actionOptions = Object.entries(MISSION_ACTIONS).map(([value, label]) => ({ value, label }))
const fields: readonly FieldDefinition<MissionDraft>[] = [
  ...textFields,
  { name: 'action', label: 'What is to be done', kind: 'choice', of: actionOptions },
  { name: 'target', label: 'How many times', kind: 'figure' },
  { name: 'points', label: 'Points', kind: 'figure' },
  { name: 'withinDays', label: 'Within days', kind: 'figure', optional: true, hint: 'Empty: however long it takes.' },
  positionField,
  {
    name: 'isStreak',
    label: 'On days in a row',
    kind: 'check',
    hint: 'For listening and creating polls: the times are days without a gap.',
  },
]
const blank: Partial<MissionDraft> = {
  action: 'poll_vote',
  target: 1,
  points: 25,
  withinDays: null,
  isStreak: false,
  position: 1,
}

/** What supporters can set out to do, and what it pays them. */
export function MissionsTab() {
  const [open, setOpen] = useState<AdminMission | 'new' | null>(null)
  const listing = useLocalListing(useQuery(adminMissions), {
    label: 'Search missions',
    textOf: (row) => `${row.title} ${row.description} ${MISSION_ACTIONS[row.action]}`,
  })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: MissionDraft }) =>
      id === null
        ? call(adminMissionsApi.addMission, { body: draft })
        : call(adminMissionsApi.updateMission, { id, body: draft }),
    ['missions'],
  )
  const end = useSave((id: string) => call(adminMissionsApi.endMission, { id }), ['missions'])
  const resume = useSave((id: string) => call(adminMissionsApi.resumeMission, { id }), ['missions'])
  const showError = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })
  const resumeMission = ({ id, title }: AdminMission) =>
    resume.mutate(id, { onSuccess: () => toast({ title: 'It runs again', text: title }), onError: showError })
  return (
    <Panel
      title="Missions"
      note="Points are paid with the act that fulfils a mission. What was fulfilled keeps what it asked and paid: end it, and add another."
    >
      <DataTable
        caption="Missions"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No mission yet."
        tools={<Button onClick={() => setOpen('new')}>Add a mission</Button>}
        actions={(row) => (
          <>
            <Button variant="quiet" aria-label={`Edit ${row.title}`} onClick={() => setOpen(row)}>
              <Pencil size={18} aria-hidden />
              Edit
            </Button>
            {row.isActive ? (
              <Button
                variant="quiet"
                aria-label={`End ${row.title}`}
                onClick={() =>
                  end.mutate(row.id, {
                    onSuccess: () =>
                      toast({
                        title: 'Mission ended',
                        text: `${row.title} is off the site. What it paid stays.`,
                        action: { label: 'Undo', onPress: () => resumeMission(row) },
                      }),
                    onError: showError,
                  })
                }
              >
                End
              </Button>
            ) : (
              <Button variant="quiet" aria-label={`Run ${row.title} again`} onClick={() => resumeMission(row)}>
                Run again
              </Button>
            )}
          </>
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new mission' : open.title}
          note={
            open !== 'new' && open.timesPaid > 0
              ? `Fulfilled ${open.timesPaid === 1 ? 'once' : `${count.format(open.timesPaid)} times`}. What it asks (${describeGoal(open)}) and its ${open.points} points stay.`
              : undefined
          }
          schema={MissionDraft}
          fields={open !== 'new' && open.timesPaid > 0 ? [...textFields, positionField] : fields}
          values={open === 'new' ? blank : toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

function describeGoal({ action, target, withinDays, isStreak }: AdminMission): string {
  const frequency = isStreak ? `on ${target} days in a row` : target === 1 ? 'once' : `${target} times`
  return `${MISSION_ACTIONS[action]}, ${frequency}${withinDays === null ? '' : ` within ${withinDays} days`}`
}

const toDraft = ({ id: _, isActive: __, timesPaid: ___, ...draft }: AdminMission): MissionDraft => draft
