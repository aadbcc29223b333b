import { challengeFinalists, challenges } from '../challenge/challenge.table'
import { timestampsOf } from '../challenge/states'
import { VERSE_TERMS } from '../contract/challenge'
import type { Browser } from './browser'
import { mp3 } from './files'
import { db } from './rows'

/** The canonical days of ruling 4: verses 2-16 July, voting 17-20 July, the winner on its last day. */
export const DAYS_2025 = {
  submissionsFrom: '2025-07-02',
  submissionsUntil: '2025-07-16',
  finalistsOn: '2025-07-17',
  votingFrom: '2025-07-17',
  votingUntil: '2025-07-20',
  winnerOn: '2025-07-20',
  closedOn: '2025-07-25',
}

type ChallengeRow = typeof challenges.$inferInsert

/** A challenge with its finalists, whose ids are `<challenge>-<name>`; its instants are those of its days, in New York. */
export async function addChallenge(
  id: string,
  { finalists = [], ...row }: Partial<ChallengeRow> & { finalists?: readonly string[] } = {},
): Promise<void> {
  const days = { ...DAYS_2025, ...row }
  await db.insert(challenges).values({
    id,
    title: `Challenge ${id}`,
    prize: 'A prize',
    rules: 'Be kind.',
    ...timestampsOf(days, 'America/New_York'),
    ...days,
  })
  if (finalists.length > 0)
    await db
      .insert(challengeFinalists)
      .values(finalists.map((name, i) => ({ id: `${id}-${name}`, challengeId: id, name, position: i + 1 })))
}

/** Days around `NOON` (furnish): verses are taken on that day and until 10 July, votes from the 11th to the 14th. */
export const DAYS_JULY_2026 = {
  submissionsFrom: '2026-07-01',
  submissionsUntil: '2026-07-10',
  finalistsOn: '2026-07-11',
  votingFrom: '2026-07-11',
  votingUntil: '2026-07-14',
  winnerOn: '2026-07-15',
  closedOn: '2026-07-20',
}

export const VERSE = {
  name: 'MC Any',
  email: 'any@mail.example',
  phoneNumber: '(813) 555-0123',
  terms: VERSE_TERMS.version,
}

/** Sends a recording and then the verse, as the form does; answers both. */
export async function sendVerse(browser: Browser, challengeId: string, verse: Partial<typeof VERSE> = {}) {
  const sent = await browser.send('POST', '/api/challenge/recordings', undefined, {
    headers: { 'content-type': 'audio/mpeg' },
    raw: mp3(20_000),
  })
  const { recording } = await sent.json<{ recording: string }>()
  const path = `/api/challenges/${challengeId}/submissions`
  return { recording, response: await browser.send('POST', path, { ...VERSE, ...verse, recording }) }
}
