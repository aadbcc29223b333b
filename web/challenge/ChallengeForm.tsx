import { useRef } from 'react'
import {
  type AdminChallenge,
  adminChallengeApi,
  CHALLENGE_DAYS,
  type ChallengeDay,
  ChallengeDraft,
  toChallengeDraft,
} from '../../worker/contract/admin-challenge'
import { challengeApi } from '../../worker/contract/challenge'
import { useAdminMutation } from '../admin/admin.queries'
import { ChallengePreview } from '../admin/lazy-previews'
import type { FieldDefinition } from '../admin/RecordField'
import { RecordForm } from '../admin/RecordForm'
import { useAutosave } from '../admin/useFormDraft'
import { call, fillPath } from '../api/call'
import { formatCalendarDate } from '../lib/format'
import { AudioField } from '../uploads/AudioField'
import { CHALLENGE_QUERY_KEYS } from './challenge-admin.queries'

const DAY_MS = 86_400_000
const toDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

const challengeFields: readonly FieldDefinition<ChallengeDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'prize', label: 'Prize', wide: true },
  {
    name: 'rules',
    label: 'Rules',
    kind: 'textarea',
    optional: true,
    hint: 'Leave an empty line between paragraphs. Rules, prize and a beat that is set can’t change once submissions open.',
  },
  {
    name: 'beat',
    label: 'Beat',
    kind: 'custom',
    render: ({ value, onChange, error, onUploadingChange }) => (
      <AudioField
        label="Beat"
        emptyText="No beat. The challenge page plays one here and offers it as a download."
        value={(value as string | null | undefined) ?? null}
        {...{ onChange, error, onUploadingChange }}
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

/**
 * Default days after today: two weeks of submissions, three days to listen, a week of voting, two days to review
 * ballots (the result is published at the end of `winnerOn`), and two weeks to award the prize.
 */
const DEFAULT_OFFSET_DAYS: Readonly<Record<ChallengeDay, number>> = {
  submissionsFrom: 1,
  submissionsUntil: 14,
  finalistsOn: 18,
  votingFrom: 19,
  votingUntil: 25,
  winnerOn: 27,
  closedOn: 41,
}
const defaultDays = (today: Date) =>
  Object.fromEntries(
    CHALLENGE_DAYS.map((day) => [
      day,
      toDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() + DEFAULT_OFFSET_DAYS[day])),
    ]),
  )

/** Validates changed days as the server does, with an error per field. `current` is null for a new challenge. */
const draftSchema = (current: AdminChallenge | null) =>
  ChallengeDraft.check(({ value: draft, issues }) => {
    const today = toDay(new Date())
    const isChanged = (day: ChallengeDay) => !current || draft[day] !== current[day]
    const report = (day: ChallengeDay, message: string) =>
      issues.push({ code: 'custom', message, input: draft, path: [day] })
    if (current) {
      for (const day of CHALLENGE_DAYS)
        if (isChanged(day) && draft[day] < today) report(day, 'This day has passed. Choose today or a later day.')
    } else if (draft.votingUntil < today)
      report('votingUntil', 'Voting would already be over. Choose today or a later day.')
    if ((isChanged('votingFrom') || isChanged('submissionsUntil')) && draft.votingFrom === draft.submissionsUntil)
      report(
        'votingFrom',
        `Voting begins after the last day of verses. Choose a day after ${formatCalendarDate(draft.submissionsUntil)}.`,
      )
  })

/** Warns if no day is left between submissions and voting for the team to listen. */
const scheduleWarning = (draft: ChallengeDraft): string | undefined =>
  Date.parse(draft.votingFrom) - Date.parse(draft.submissionsUntil) === DAY_MS
    ? 'Voting opens right after submissions close, so you choose the finalists while verses still come in. Leave a day in between to listen.'
    : undefined

/** The stored challenge as a draft; undefined if it was deleted. */
async function readDraft(id: string): Promise<ChallengeDraft | undefined> {
  const latest = (await call(adminChallengeApi.challenges, {})).find((challenge) => challenge.id === id)
  return latest && toChallengeDraft(latest)
}

/** The form that announces a new challenge. */
export function NewChallengeForm({ onAdded }: { onAdded: (id: string) => void }) {
  const add = useAdminMutation(
    (body: ChallengeDraft) => call(adminChallengeApi.addChallenge, { body }),
    CHALLENGE_QUERY_KEYS,
  )
  const autosave = useAutosave('challenges.new', 'A new challenge')
  const addedId = useRef<string>(null)
  return (
    <div className="max-w-6xl">
      <p className="mb-8 max-w-prose text-muted">
        Saving publishes the challenge page right away. Each stage begins on its first day and ends when its last day is
        over, in the artist’s time zone. You can also move a stage by hand.
      </p>
      <RecordForm
        schema={draftSchema(null)}
        fields={challengeFields}
        values={{ rules: '', beat: null, ...defaultDays(new Date()) }}
        warn={scheduleWarning}
        save={async (draft) => {
          const addedChallenge = await add.mutateAsync(draft)
          addedId.current = addedChallenge.id
          return addedChallenge
        }}
        readCreated={async (saved) => {
          const { id } = saved as { id: string }
          const values = await readDraft(id)
          return values && { formId: `challenges.${id}`, values }
        }}
        onSaved={() => addedId.current && onAdded(addedId.current)}
        autosave={autosave}
        preview={ChallengePreview}
      />
    </div>
  )
}

/** The form of an existing challenge. Fields that can no longer change are shown as text. */
export function ChallengeForm({ challenge }: { challenge: AdminChallenge }) {
  const { id, state, fixed } = challenge
  const update = useAdminMutation(
    (body: ChallengeDraft) => call(adminChallengeApi.updateChallenge, { id, body }),
    CHALLENGE_QUERY_KEYS,
  )
  const autosave = useAutosave(`challenges.${id}`, challenge.title)
  const locked = lockedFields(challenge)
  const current = toChallengeDraft(challenge)
  const lockedValues = Object.fromEntries(locked.map((name) => [name, current[name as keyof ChallengeDraft]]))
  return (
    <div className="max-w-6xl">
      {locked.length > 0 && (
        <dl className="mb-10 grid gap-y-3">
          {challengeFields
            .filter(({ name }) => locked.includes(name))
            .map(({ name, label, kind }) => (
              <div key={name} className="grid gap-x-6 border-t border-rule pt-3 sm:grid-cols-[12rem_1fr]">
                <dt className="font-label leading-6 text-muted">{label}</dt>
                <dd className="max-w-prose whitespace-pre-line leading-6 wrap-anywhere">
                  {name === 'beat' ? (
                    // biome-ignore lint/a11y/useMediaCaption: a beat has no words.
                    <audio controls preload="none" src={fillPath(challengeApi.beat.path, { id })} className="w-full" />
                  ) : (
                    lockedText(String(lockedValues[name]), kind)
                  )}
                </dd>
              </div>
            ))}
        </dl>
      )}
      <RecordForm
        // Remounts when the phase locks other fields.
        key={[state, ...fixed].join()}
        schema={draftSchema(challenge)}
        fields={challengeFields.filter(({ name }) => !locked.includes(name))}
        values={current}
        warn={scheduleWarning}
        save={(draft) => update.mutateAsync({ ...draft, ...lockedValues })}
        autosave={autosave}
        preview={state === 'announced' ? ChallengePreview : undefined}
        readLatest={() => readDraft(id)}
      />
    </div>
  )
}

/** Fields that cannot change: past dates; from submissions on, prize, rules and a set beat; once sealed, the title. */
function lockedFields({ fixed, state, seal, beat }: AdminChallenge): readonly string[] {
  const names: string[] = [...fixed]
  if (state !== 'announced') names.push('prize', 'rules')
  if (state !== 'announced' && beat) names.push('beat')
  if (seal) names.push('title')
  return names
}

const lockedText = (value: string, kind: FieldDefinition<ChallengeDraft>['kind']) =>
  kind === 'date' ? formatCalendarDate(value) : value || 'None'
