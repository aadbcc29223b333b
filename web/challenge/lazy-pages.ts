import type { QueryClient } from '@tanstack/react-query'
import { challengeById, currentChallenge } from './challenge.queries'

// One lazy chunk: the home page's banner and the challenge pages share their code.
export { ChallengeBanner } from './ChallengeBanner'
export { ChallengeByIdPage, ChallengePage } from './ChallengePage'
export { ConfirmVersePage, WithdrawVersePage } from './VerseLinkPages'

export const preloadCurrentChallenge = (queryClient: QueryClient) => queryClient.ensureQueryData(currentChallenge)
export const preloadChallenge = (queryClient: QueryClient, id: string) => queryClient.ensureQueryData(challengeById(id))
