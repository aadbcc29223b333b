// What the home page fetches of the challenge, as one lazy piece: it names one file for all.
export { ChallengeBand } from './ChallengeBand'
export { ChallengePage, OneChallengePage } from './ChallengePage'
export { WithdrawPage } from './WithdrawPage'
