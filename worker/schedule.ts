import { deleteExpiredAuthRows } from './auth/cleanup'
import { cleanUpExports } from './exports/exports'
import { eraseInactiveUsers, warnInactiveUsers } from './gdpr/inactivity'
import { deleteOldInquiries, sendInquiryReminders } from './gdpr/inquiries'
import { anonymiseCityRequests, deleteOldAnalytics, deleteOldCityRequests } from './gdpr/retention-analytics'
import { clearEmailBodies, deleteErasureReceipts, deleteOldEmails, deleteOldMailStops } from './gdpr/retention-emails'
import { anonymiseListens, clearPollTitles } from './gdpr/retention-ledger'
import {
  anonymiseVerses,
  clearBallotReasons,
  deleteUnconfirmedAddresses,
  deleteUnsubscribed,
} from './gdpr/retention-lists'
import type { DailyJob } from './jobs/job-runs'
import { deleteOldOrders, eraseBuyers } from './orders/retention'
import { deleteOldStreamReports } from './tracks/streams'
import { deleteUnreferencedUploads } from './uploads/cleanup'

/** What is tidied once a day, in this order; the privacy policy's spans among it (ruling 28). */
export const DAILY_JOBS: readonly DailyJob[] = [
  { name: 'Forget who listened', step: ({ db }, at) => deleteOldStreamReports(db, at) },
  { name: 'Forget tokens, guesses and revocations that are over', step: ({ db }, at) => deleteExpiredAuthRows(db, at) },
  { name: 'Empty mails of their words', step: clearEmailBodies },
  { name: 'Forget to whom old mails went', step: deleteOldEmails },
  { name: 'Forget receipts of deleted accounts', step: deleteErasureReceipts },
  { name: 'Forget which addresses sent mail back', step: deleteOldMailStops },
  { name: 'Remove exports that are over', step: ({ db, files }, at) => cleanUpExports({ db: db.$client, files }, at) },
  {
    name: 'Remove files that nothing refers to',
    step: ({ db, files }, at) => deleteUnreferencedUploads({ db: db.$client, files }, at),
  },
  { name: 'Warn accounts that fell silent', step: warnInactiveUsers },
  { name: 'Erase accounts that stayed silent', step: eraseInactiveUsers },
  { name: 'Forget the titles of polls of deleted accounts', step: clearPollTitles },
  { name: 'Forget the buyers of what has reached them', step: ({ db }, at) => eraseBuyers(db, at) },
  { name: 'Anonymise analytics', step: anonymiseCityRequests },
  { name: 'Forget which tracks were heard', step: anonymiseListens },
  { name: 'Delete old analytics', step: deleteOldAnalytics },
  { name: 'Delete old orders', step: ({ db }, at) => deleteOldOrders(db, at) },
  { name: 'Delete old city requests', step: deleteOldCityRequests },
  { name: 'Forget addresses that nobody confirmed', step: deleteUnconfirmedAddresses },
  { name: 'Forget who left the newsletter', step: deleteUnsubscribed },
  { name: 'Forget who sent old verses', step: anonymiseVerses },
  { name: 'Forget why votes were kept or left out', step: clearBallotReasons },
  { name: 'Delete old inquiries', step: deleteOldInquiries },
  { name: 'Remind of inquiries', step: ({ db, origin }, at) => sendInquiryReminders({ db: db.$client, origin }, at) },
]
