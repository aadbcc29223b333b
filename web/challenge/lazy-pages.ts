// One lazy chunk: the home page's banner and the challenge pages share their code.
export { ChallengeBanner } from './ChallengeBanner'
export { ChallengeByIdPage, ChallengePage } from './ChallengePage'
export { ConfirmVersePage } from './ConfirmVersePage'
export { WithdrawPage } from './WithdrawPage'
