// One lazy chunk for the home page.
export { ChallengeBanner as ChallengeBand } from './ChallengeBanner'
export { ChallengeByIdPage as OneChallengePage, ChallengePage } from './ChallengePage'
export { WithdrawPage } from './WithdrawPage'
