import { type Comparison, type ComparisonResult, compareSpeeds } from './measure.ts'

const ROUNDS = 6
const FEW = 50
const MANY = 500
const TARGET = 0.9
const WATCHED_PATHS = { path: '/watched', floor: '/watched' }
const CONTEST: Comparison = {
  ...WATCHED_PATHS,
  figure: `votes while ${MANY} watch over while ${FEW} do`,
  target: TARGET,
  cause: 'each tick is a message to every socket, and the local runtime sends them on the thread that takes the votes.',
}

/** How fast one poll's votes were taken while so many sockets watched it, and how many messages each was sent. */
export type WatchedVotes = { perSecond: number; messages: number }

/** What watching costs the votes: as many of them, in one poll, with few sockets on it and with many, in turn. */
export async function measureLive(ask: <T>(path: string) => Promise<T>): Promise<ComparisonResult[]> {
  const watched = async (sockets: number) => (await ask<WatchedVotes>(`/watched?sockets=${sockets}`)).perSecond
  await watched(FEW)
  const [few, many, again]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [
      async () => few.push(await watched(FEW)),
      async () => many.push(await watched(MANY)),
      async () => again.push(await watched(FEW)),
    ]
    for (let turn = 0; turn < turns.length; turn++) await turns[(turn + round) % turns.length]?.()
  }
  return [
    compareSpeeds(
      { ...WATCHED_PATHS, figure: `A/A: votes while ${FEW} watch against themselves`, target: null },
      again,
      few,
    ),
    compareSpeeds(CONTEST, many, few),
  ]
}
