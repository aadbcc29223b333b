import type { QueryClient } from '@tanstack/react-query'
import { challengeById, currentChallenge } from './challenge.queries'

// One lazy chunk: the home page's banner and the challenge pages share their code.
export { ChallengeBanner } from './ChallengeBanner'
export { ChallengeByIdPage, ChallengePage } from './ChallengePage'
export { ConfirmVersePage, WithdrawPage } from './VerseLinkPages'

export const requestCurrentChallenge = (queries: QueryClient) => queries.ensureQueryData(currentChallenge)
export const requestChallenge = (queries: QueryClient, id: string) => queries.ensureQueryData(challengeById(id))
