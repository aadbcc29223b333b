import { useQuery } from '@tanstack/react-query'
import { type AdminMission, adminMissionsApi, MISSION_ACTIONS, MissionDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { formatCount } from '../lib/format'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { adminQuery, useAdminMutation } from './admin.queries'
import { type CrudDefinition, CrudPanel } from './CrudPanel'
import { useLocalListing } from './listings'
import type { FieldDefinition } from './RecordForm'

const textFields: readonly FieldDefinition<MissionDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'description', label: 'Description', wide: true, hint: 'One sentence, under the title.' },
]
const positionField: FieldDefinition<MissionDraft> = {
  name: 'position',
  label: 'Place',
  kind: 'number',
  hint: '1 comes first.',
}
const allFields: readonly FieldDefinition<MissionDraft>[] = [
  ...textFields,
  {
    name: 'action',
    label: 'Action',
    kind: 'select',
    options: Object.entries(MISSION_ACTIONS).map(([value, label]) => ({ value, label })),
  },
  { name: 'target', label: 'How many times', kind: 'number' },
  { name: 'points', label: 'Points', kind: 'number' },
  { name: 'withinDays', label: 'Within days', kind: 'number', optional: true, hint: 'Leave empty for no limit.' },
  positionField,
  {
    name: 'isStreak',
    label: 'On consecutive days',
    kind: 'checkbox',
    hint: 'For listening and creating polls: days in a row.',
  },
]
const wasPaid = (row: AdminMission | null) => row !== null && row.timesPaid > 0

const missions: CrudDefinition<AdminMission, MissionDraft> = {
  title: 'Missions',
  note: 'Points are paid with the action that completes a mission. A completed mission keeps its goal and points: to change them, end it and add a new one.',
  noun: 'mission',
  keys: ['missions'],
  useListing: () =>
    useLocalListing(useQuery(adminQuery('missions', adminMissionsApi.missions)), {
      label: 'Search missions',
      textOf: (row) => `${row.title} ${row.description} ${MISSION_ACTIONS[row.action]}`,
    }),
  columns: [
    { id: 'title', header: 'Mission', cell: (row) => row.title, sortBy: (row) => row.title },
    { id: 'asks', header: 'Asks', cell: describeGoal, sortBy: (row) => MISSION_ACTIONS[row.action] },
    { id: 'points', header: 'Points', cell: (row) => row.points, sortBy: (row) => row.points, numeric: true },
    {
      id: 'paid',
      header: 'Completed',
      cell: (row) => formatCount(row.timesPaid),
      sortBy: (row) => row.timesPaid,
      numeric: true,
    },
    { id: 'position', header: 'Place', cell: (row) => row.position, sortBy: (row) => row.position, numeric: true },
    { id: 'state', header: 'State', cell: (row) => (row.isActive ? 'Active' : 'Ended') },
  ],
  nameOf: (row) => row.title,
  form: {
    schema: MissionDraft,
    fields: (row) => (wasPaid(row) ? [...textFields, positionField] : allFields),
    note: (row) =>
      row !== null && wasPaid(row)
        ? `Completed ${row.timesPaid === 1 ? 'once' : `${formatCount(row.timesPaid)} times`}. Its goal (${describeGoal(row)}) and its ${row.points} points can’t change.`
        : undefined,
    toDraft: ({ id: _, isActive: __, timesPaid: ___, ...draft }) => draft,
    blank: { action: 'poll_vote', target: 1, points: 25, withinDays: null, isStreak: false, position: 1 },
  },
  add: adminMissionsApi.addMission,
  update: adminMissionsApi.updateMission,
}

/** Missions are ended rather than deleted, because points were paid for them. */
export function MissionsTab() {
  const end = useAdminMutation((id: string) => call(adminMissionsApi.endMission, { id }), missions.keys)
  const resume = useAdminMutation((id: string) => call(adminMissionsApi.resumeMission, { id }), missions.keys)
  const onError = toastError('Not done')
  const resumeMission = ({ id, title }: AdminMission) =>
    resume.mutate(id, { onSuccess: () => toast({ title: 'Mission restarted', text: title }), onError })
  const endMission = (mission: AdminMission) =>
    end.mutate(mission.id, {
      onSuccess: () =>
        toast({
          title: 'Mission ended',
          text: `${mission.title} is off the site. Points already paid stay.`,
          action: { label: 'Undo', onPress: () => resumeMission(mission) },
        }),
      onError,
    })
  return (
    <CrudPanel
      definition={missions}
      actions={(row, editButton) => (
        <>
          {editButton}
          {row.isActive ? (
            <Button variant="text" aria-label={`End ${row.title}`} onClick={() => endMission(row)}>
              End
            </Button>
          ) : (
            <Button variant="text" aria-label={`Restart ${row.title}`} onClick={() => resumeMission(row)}>
              Restart
            </Button>
          )}
        </>
      )}
    />
  )
}

function describeGoal({ action, target, withinDays, isStreak }: AdminMission): string {
  const frequency = isStreak ? `on ${target} consecutive days` : target === 1 ? 'once' : `${target} times`
  return `${MISSION_ACTIONS[action]}, ${frequency}${withinDays === null ? '' : ` within ${withinDays} days`}`
}
