import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import polls from './data/polls.json' with { type: 'json' }
import { createRandom } from './random.ts'
import { supporterIds } from './supporters.ts'

export async function seedPolls(db: D1Database, now: number): Promise<void> {
  const random = createRandom(22)
  await insertRows(
    db,
    'polls',
    polls.map(({ id, title, description, startedDaysAgo, endsInDays }) => ({
      id,
      title,
      description,
      ends_at: Math.round(now + endsInDays * DAY_MS),
      created_at: Math.round(now - startedDaysAgo * DAY_MS),
      official: 1,
    })),
  )
  await insertRows(
    db,
    'poll_options',
    polls.flatMap(({ id, options }) =>
      options.map(({ title }, index) => ({ id: `${id}-${index + 1}`, poll_id: id, title, position: index + 1 })),
    ),
  )
  const votes: Row[] = []
  for (const { id, options, startedDaysAgo, endsInDays } of polls) {
    const voters = random.shuffle(supporterIds)
    const from = now - startedDaysAgo * DAY_MS
    const until = Math.min(now - 60_000, now + endsInDays * DAY_MS - 1)
    for (const [index, option] of options.entries())
      for (const user of voters.splice(0, option.votes)) {
        const castAt = Math.round(from + random.next() * (until - from))
        votes.push({ poll_id: id, user_id: user, option_id: `${id}-${index + 1}`, cast_at: castAt, counted_at: castAt })
      }
  }
  await insertRows(db, 'poll_votes', votes)
}

/** Reopens the polls that were open when seeded, if no visible poll is open. */
export async function reschedulePolls(db: D1Database, now: number): Promise<void> {
  if (await db.prepare('SELECT 1 FROM polls WHERE ends_at > ?1 AND hidden_at IS NULL').bind(now).first()) return
  const update = db.prepare('UPDATE polls SET ends_at = ?2 WHERE id = ?1')
  const open = polls.filter(({ endsInDays }) => endsInDays > 0)
  await db.batch(open.map(({ id, endsInDays }) => update.bind(id, now + endsInDays * DAY_MS)))
}
