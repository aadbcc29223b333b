import {
  type AdminMission,
  adminMissionsApi,
  MISSION_ACTIONS,
  MissionDraft,
} from '../../worker/contract/admin-missions'
import { readNextPosition, useAdminMutation } from '../admin/admin.queries'
import { MissionPreview } from '../admin/lazy-previews'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { choiceFilter, toOptions } from '../admin/list/list-definition'
import type { FieldDefinition } from '../admin/RecordField'
import { call } from '../api/call'
import { formatCount, formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'

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
    options: toOptions(MISSION_ACTIONS),
  },
  { name: 'target', label: 'How many times', kind: 'number' },
  { name: 'points', label: 'Points', kind: 'number' },
  {
    name: 'withinDays',
    label: 'Time limit in days',
    kind: 'number',
    optional: true,
    hint: 'Leave empty for no limit.',
  },
  positionField,
  {
    name: 'isStreak',
    label: 'On consecutive days',
    kind: 'checkbox',
    hint: 'For listening and creating polls: days in a row.',
  },
]
const wasCompleted = (row: AdminMission | null) => row !== null && row.timesPaid > 0

const MISSION_QUERY_KEYS = ['missions']
const endMission = ({ id }: AdminMission) => call(adminMissionsApi.remove, { id })
const restartMission = ({ id }: AdminMission) => call(adminMissionsApi.restore, { id })

const missionList: EditableListDefinition<'/api/admin/missions', AdminMission, MissionDraft> = {
  list: {
    name: 'missions',
    title: 'Missions',
    endpoint: adminMissionsApi.list,
    searchLabel: 'Search missions by title or description',
    nameOf: (row) => row.title,
    columns: [
      { id: 'title', header: 'Mission', cell: (row) => row.title, sort: 'title' },
      { id: 'asks', header: 'Goal', cell: describeGoal },
      { id: 'points', header: 'Points', cell: (row) => row.points, sort: 'points', isNumeric: true },
      {
        id: 'paid',
        header: 'Completed',
        cell: (row) => formatCount(row.timesPaid),
        sort: 'completed',
        isNumeric: true,
      },
      { id: 'position', header: 'Place', cell: (row) => row.position, sort: 'position', isNumeric: true },
      { id: 'state', header: 'State', cell: (row) => (row.isActive ? 'Active' : 'Ended') },
    ],
    filters: [
      choiceFilter('state', 'State', { active: 'Active', ended: 'Ended' }),
      choiceFilter('action', 'Action', MISSION_ACTIONS),
    ],
    bulkActions: [
      {
        label: 'End',
        appliesTo: (row) => row.isActive,
        run: endMission,
        undo: restartMission,
        keys: MISSION_QUERY_KEYS,
        done: 'Missions ended',
      },
      {
        label: 'Restart',
        appliesTo: (row) => !row.isActive,
        run: restartMission,
        undo: endMission,
        keys: MISSION_QUERY_KEYS,
        done: 'Missions restarted',
      },
    ],
    empty: 'No missions yet. Add the first one: an action, how often, and its points.',
  },
  note: 'Points are awarded with the action that completes a mission. A completed mission keeps its goal and points: to change them, end it and add a new one.',
  noun: 'mission',
  keys: MISSION_QUERY_KEYS,
  form: {
    schema: MissionDraft,
    fields: (row) => (wasCompleted(row) ? [...textFields, positionField] : allFields),
    note: (row) =>
      row !== null && wasCompleted(row)
        ? `Completed ${row.timesPaid === 1 ? 'once' : `${formatCount(row.timesPaid)} times`}. Its goal (${describeGoal(row)}) and its ${row.points} points can’t change.`
        : undefined,
    toDraft: ({ id: _, isActive: __, timesPaid: ___, ...draft }) => draft,
    blank: { action: 'poll_vote', target: 1, points: 25, withinDays: null, isStreak: false },
    readDefaults: async () => ({ position: await readNextPosition(adminMissionsApi.list) }),
    preview: MissionPreview,
  },
  endpoints: { add: adminMissionsApi.add, update: adminMissionsApi.update, reorder: adminMissionsApi.reorder },
  orderFilters: { state: 'active' },
}

/** Missions can be ended but not deleted, because users have earned points for them. */
export function MissionsTab() {
  const end = useAdminMutation(endMission, MISSION_QUERY_KEYS)
  const restart = useAdminMutation(restartMission, MISSION_QUERY_KEYS)
  const onRestart = (mission: AdminMission) =>
    restart.isPending ||
    restart.mutate(mission, {
      onSuccess: () => toast({ title: 'Mission restarted', text: mission.title }),
      onError: toastError('Mission not restarted'),
    })
  const onEnd = (mission: AdminMission) =>
    end.isPending ||
    end.mutate(mission, {
      onSuccess: () =>
        toast({
          title: 'Mission ended',
          text: `${mission.title} is off the site. Points already paid stay.`,
          action: { label: 'Undo', onPress: () => onRestart(mission) },
        }),
      onError: toastError('Mission not ended'),
    })
  return (
    <EditableList
      definition={missionList}
      actions={(row, editButton) => (
        <>
          {editButton}
          {row.isActive ? (
            <Button
              variant="text"
              aria-label={`End ${row.title}`}
              aria-disabled={end.isPending}
              onClick={() => onEnd(row)}
            >
              End
            </Button>
          ) : (
            <Button
              variant="text"
              aria-label={`Restart ${row.title}`}
              aria-disabled={restart.isPending}
              onClick={() => onRestart(row)}
            >
              Restart
            </Button>
          )}
        </>
      )}
    />
  )
}

function describeGoal({ action, target, withinDays, isStreak }: AdminMission): string {
  const times = target === 1 ? 'once' : `${target} times`
  const frequency = isStreak ? `on ${formatCountOf(target, 'consecutive day')}` : times
  const timeLimit = withinDays === null ? '' : ` within ${formatCountOf(withinDays, 'day')}`
  return `${MISSION_ACTIONS[action]}, ${frequency}${timeLimit}`
}
