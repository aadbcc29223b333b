// What the home page fetches of the challenge, as one lazy piece: it names one file for all.
export { ChallengeBanner as ChallengeBand } from './ChallengeBanner'
export { ChallengeByIdPage as OneChallengePage, ChallengePage } from './ChallengePage'
export { WithdrawPage } from './WithdrawPage'
