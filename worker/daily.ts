import { forgetReceipts } from './auth/erasure'
import { sweepAccounts } from './auth/sweep'
import { sweepExports } from './exports/exports'
import { emptySent } from './mail/sweep'
import { forgetOldOrders } from './orders/retention'
import { anonymiseAnalytics, deleteOldAnalytics, deleteOldCityRequests } from './privacy/analytics'
import { eraseInactive, warnInactive } from './privacy/inactivity'
import type { DailyJob } from './privacy/job-runs'
import { deleteOldInquiries, remind } from './privacy/support'
import { sweepStreamReports } from './tracks/streams'

/** What is tidied once a day, in this order; the privacy policy's spans among it (ruling 28). */
export const DAILY: readonly DailyJob[] = [
  {
    name: 'Forget who listened',
    step: async ({ db }, at) => ({ affected: await sweepStreamReports(db, at), more: false }),
  },
  {
    name: 'Forget tokens, guesses and revocations that are over',
    step: async ({ db }, at) => ({ affected: await sweepAccounts(db, at), more: false }),
  },
  {
    name: 'Empty mails that were sent',
    step: async ({ db }, at) => ({ affected: await emptySent(db.$client, at), more: false }),
  },
  {
    name: 'Forget receipts of deleted accounts',
    step: async ({ db }, at) => ({ affected: await forgetReceipts(db.$client, at), more: false }),
  },
  {
    name: 'Remove exports that are over',
    step: async ({ db, files }, at) => ({ affected: await sweepExports({ db: db.$client, files }, at), more: false }),
  },
  { name: 'Warn accounts that fell silent', step: warnInactive },
  { name: 'Erase accounts that stayed silent', step: eraseInactive },
  { name: 'Anonymise analytics', step: anonymiseAnalytics },
  { name: 'Delete old analytics', step: deleteOldAnalytics },
  { name: 'Delete old orders', step: ({ db }, at) => forgetOldOrders(db, at) },
  { name: 'Delete old city requests', step: deleteOldCityRequests },
  { name: 'Delete old inquiries', step: deleteOldInquiries },
  { name: 'Remind of inquiries', step: remind },
]
