// One lazy chunk for the home page.
export { ChallengeBanner } from './ChallengeBanner'
export { ChallengeByIdPage, ChallengePage } from './ChallengePage'
export { WithdrawPage } from './WithdrawPage'
