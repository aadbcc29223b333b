// The challenge's pages as one lazy piece: the home page names one file for both.
export { ChallengePage, OneChallengePage } from './ChallengePage'
export { WithdrawPage } from './WithdrawPage'
