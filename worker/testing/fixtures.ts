import { env } from 'cloudflare:test'
import { challengeBallots, challengeFinalists, verseSubmissions } from '../challenge/challenge.table'
import { finalizeDueChallenges } from '../challenge/finalize'
import { posts } from '../community/posts.table'
import { DAY_MS } from '../lib/clock'
import { missions } from '../missions/missions.table'
import { pollOptions, polls, pollVotes } from '../polls/polls.table'
import { addChallenge, DAYS_JULY_2026 } from './challenges'
import { addTrack, addUser, db } from './rows'
import { NOON, seedSite } from './seed'

/** What a route's parameters name in a full house: values under which the route finds something. */
export function fixtureParams(path: string): Record<string, string> {
  return {
    id: /\/(concerts|shows)\//.test(path) ? 'show-1' : /\/products\//.test(path) ? 'clip' : '1',
    folder: 'any',
    name: 'hero.webp',
    width: '32',
  }
}

const DAYS_MAY_2026 = {
  title: 'A challenge',
  submissionsFrom: '2026-05-01',
  submissionsUntil: '2026-05-10',
  finalistsOn: '2026-05-11',
  votingFrom: '2026-05-11',
  votingUntil: '2026-05-14',
  winnerOn: '2026-05-14',
  closedOn: '2026-05-20',
}
/**
 * A site with at least one of everything: for tests that go over every route. Track 1 has a recording, poll `1` a vote,
 * challenge `1` is published with a ballot, challenge `open` takes verses at `NOON`, show `show-1` is a day after `NOON`; a picture stands at /media/any/hero.webp.
 */
export async function loadFixtures(): Promise<void> {
  await seedSite(env.DB)
  const fan = await addUser()
  await addChallenge('1', DAYS_MAY_2026)
  await addChallenge('open', DAYS_JULY_2026)
  await addTrack({ id: 1, audioKey: 'audio/song.mp3', isTrending: true })
  await db.batch([
    db.insert(polls).values({ id: '1', title: 'Which one?', endsAt: NOON + DAY_MS, createdAt: NOON }),
    db.insert(pollOptions).values(['a', 'b'].map((id, position) => ({ id, pollId: '1', title: id, position }))),
    db.insert(pollVotes).values({ pollId: '1', userId: fan.id, optionId: 'a', castAt: NOON }),
    db.insert(verseSubmissions).values({
      id: '1',
      challengeId: '1',
      name: 'A Fan',
      email: 'a.fan@mail.example',
      phoneNumber: '+18135550100',
      submittedAt: NOON,
      audioKey: 'uploads/verse',
    }),
    db.insert(challengeFinalists).values([
      { id: '1', challengeId: '1', name: 'Finalist', position: 1, submissionId: '1' },
      { id: '2', challengeId: '1', name: 'Second', position: 2 },
    ]),
    db.insert(challengeBallots).values({ challengeId: '1', finalistId: '1', castAt: NOON, voterPseudonym: 'v1' }),
    db.insert(posts).values({ id: '1', authorId: fan.id, text: 'What a night.', createdAt: NOON }),
    db.insert(missions).values({
      id: '1',
      title: 'A mission',
      description: 'Vote.',
      points: 10,
      action: 'poll_vote',
      target: 1,
      position: 1,
    }),
  ])
  await finalizeDueChallenges(env.DB, NOON)
  await env.FILES.put('uploads/verse', new Uint8Array(500), { httpMetadata: { contentType: 'audio/mpeg' } })
  await env.FILES.put('audio/song.mp3', new Uint8Array(5000), { httpMetadata: { contentType: 'audio/mpeg' } })
  await env.FILES.put('any/hero.webp', new Uint8Array(50), { httpMetadata: { contentType: 'image/webp' } })
}
