import { sweepAccounts } from './auth/sweep'
import { sweepExports } from './exports/exports'
import { forgetBuyers, forgetOldOrders } from './orders/retention'
import { anonymiseAnalytics, deleteOldAnalytics, deleteOldCityRequests } from './privacy/analytics'
import { forgetPollTitles, forgetTracksHeard } from './privacy/histories'
import { eraseInactive, warnInactive } from './privacy/inactivity'
import { remindOfInquiries } from './privacy/inquiries'
import type { DailyJob } from './privacy/job-runs'
import { forgetBallotReasons, forgetLeavers, forgetUnconfirmed, forgetVerses } from './privacy/lists'
import { deleteOldMails, emptyMails, forgetMailStops, forgetReceipts } from './privacy/mails'
import { deleteOldInquiries } from './privacy/support'
import { sweepStreamReports } from './tracks/streams'
import { sweepUploads } from './uploads/sweep'

/** What is tidied once a day, in this order; the privacy policy's spans among it (ruling 28). */
export const DAILY: readonly DailyJob[] = [
  { name: 'Forget who listened', step: ({ db }, at) => sweepStreamReports(db, at) },
  { name: 'Forget tokens, guesses and revocations that are over', step: ({ db }, at) => sweepAccounts(db, at) },
  { name: 'Empty mails of their words', step: emptyMails },
  { name: 'Forget to whom old mails went', step: deleteOldMails },
  { name: 'Forget receipts of deleted accounts', step: forgetReceipts },
  { name: 'Forget which addresses sent mail back', step: forgetMailStops },
  { name: 'Remove exports that are over', step: ({ db, files }, at) => sweepExports({ db: db.$client, files }, at) },
  {
    name: 'Remove files that nothing refers to',
    step: ({ db, files }, at) => sweepUploads({ db: db.$client, files }, at),
  },
  { name: 'Warn accounts that fell silent', step: warnInactive },
  { name: 'Erase accounts that stayed silent', step: eraseInactive },
  { name: 'Forget the titles of polls of deleted accounts', step: forgetPollTitles },
  { name: 'Forget the buyers of what has reached them', step: ({ db }, at) => forgetBuyers(db, at) },
  { name: 'Anonymise analytics', step: anonymiseAnalytics },
  { name: 'Forget which tracks were heard', step: forgetTracksHeard },
  { name: 'Delete old analytics', step: deleteOldAnalytics },
  { name: 'Delete old orders', step: ({ db }, at) => forgetOldOrders(db, at) },
  { name: 'Delete old city requests', step: deleteOldCityRequests },
  { name: 'Forget addresses that nobody confirmed', step: forgetUnconfirmed },
  { name: 'Forget who left the newsletter', step: forgetLeavers },
  { name: 'Forget who sent old verses', step: forgetVerses },
  { name: 'Forget why votes were kept or left out', step: forgetBallotReasons },
  { name: 'Delete old inquiries', step: deleteOldInquiries },
  { name: 'Remind of inquiries', step: ({ db, origin }, at) => remindOfInquiries({ db: db.$client, origin }, at) },
]
