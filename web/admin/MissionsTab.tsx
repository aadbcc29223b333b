import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type DeskMission, MISSION_ACTS, MissionDraft, missionsApi } from '../../worker/contract/missions'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { useSave } from './content.queries'
import { deskMissions } from './desk-lists'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldOf } from './RecordField'
import { useWholeList } from './useListing'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<DeskMission>[] = [
  { id: 'title', header: 'Mission', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'asks', header: 'Asks', cell: asks, sortBy: (row) => MISSION_ACTS[row.action] },
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

const words: readonly FieldOf<MissionDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'description', label: 'Description', wide: true, hint: 'One sentence, under the title.' },
]
const place: FieldOf<MissionDraft> = { name: 'position', label: 'Place', kind: 'figure', hint: '1 stands first.' }
const acts = Object.entries(MISSION_ACTS).map(([value, label]) => ({ value, label }))
const fields: readonly FieldOf<MissionDraft>[] = [
  ...words,
  { name: 'action', label: 'What is to be done', kind: 'choice', of: acts },
  { name: 'target', label: 'How many times', kind: 'figure' },
  { name: 'points', label: 'Points', kind: 'figure' },
  { name: 'withinDays', label: 'Within days', kind: 'figure', optional: true, hint: 'Empty: however long it takes.' },
  place,
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
  const [open, setOpen] = useState<DeskMission | 'new' | null>(null)
  const listing = useWholeList(useQuery(deskMissions), {
    label: 'Search missions',
    textOf: (row) => `${row.title} ${row.description} ${MISSION_ACTS[row.action]}`,
  })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: MissionDraft }) =>
      id === null
        ? call(missionsApi.addMission, { body: draft })
        : call(missionsApi.changeMission, { id, body: draft }),
    ['missions'],
  )
  const end = useSave((id: string) => call(missionsApi.endMission, { id }), ['missions'])
  const resume = useSave((id: string) => call(missionsApi.resumeMission, { id }), ['missions'])
  const failed = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })
  const run = ({ id, title }: DeskMission) =>
    resume.mutate(id, { onSuccess: () => toast({ title: 'It runs again', text: title }), onError: failed })
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
            <Button look="quiet" aria-label={`Edit ${row.title}`} onClick={() => setOpen(row)}>
              <Pencil size={18} aria-hidden />
              Edit
            </Button>
            {row.isActive ? (
              <Button
                look="quiet"
                aria-label={`End ${row.title}`}
                onClick={() =>
                  end.mutate(row.id, {
                    onSuccess: () =>
                      toast({
                        title: 'Mission ended',
                        text: `${row.title} is off the site. What it paid stays.`,
                        action: { label: 'Undo', onPress: () => run(row) },
                      }),
                    onError: failed,
                  })
                }
              >
                End
              </Button>
            ) : (
              <Button look="quiet" aria-label={`Run ${row.title} again`} onClick={() => run(row)}>
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
              ? `Fulfilled ${open.timesPaid === 1 ? 'once' : `${count.format(open.timesPaid)} times`}. What it asks (${asks(open)}) and its ${open.points} points stay.`
              : undefined
          }
          schema={MissionDraft}
          fields={open !== 'new' && open.timesPaid > 0 ? [...words, place] : fields}
          values={open === 'new' ? blank : draftOf(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

function asks({ action, target, withinDays, isStreak }: DeskMission): string {
  const often = isStreak ? `on ${target} days in a row` : target === 1 ? 'once' : `${target} times`
  return `${MISSION_ACTS[action]}, ${often}${withinDays === null ? '' : ` within ${withinDays} days`}`
}

const draftOf = ({ id: _, isActive: __, timesPaid: ___, ...draft }: DeskMission): MissionDraft => draft
