import { notifyOwners } from './admin/system'
import { deleteExpiredArchives, requeueArchives, startWeeklyArchive } from './archive/archives'
import { copyErasures, deleteOldErasures } from './archive/erasures'
import { resumeBroadcasts } from './broadcasts/send'
import { finalizeDueChallenges } from './challenge/finalize'
import { notifyEntrants } from './challenge/notifications'
import { requeuePreviews } from './community/previews/previews'
import { openDb } from './db/client'
import type { Deps } from './deps'
import { deleteOldDeliveries, enqueueDueDeliveries, reportReleases } from './developers/deliver-webhooks'
import { deleteSupersededDownloads, prepareDownloads } from './downloads/prepare'
import { reportUsedUpTotal } from './email/email-quotas'
import { enqueuePendingEmails, markStaleClaimsUnknown, requeueOverdueEmails } from './email/queue'
import { type Env, readConfig } from './env'
import { cleanUpExports, requeueExports } from './exports/exports'
import { startScheduledExports } from './exports/schedules'
import { deleteErasureReceipts } from './gdpr/erase-user'
import { eraseInactiveUsers, eraseUnconfirmedUsers, warnInactiveUsers } from './gdpr/inactivity'
import { RETENTION_JOBS } from './gdpr/personal-data-registry'
import { deleteImportFiles, requeueImports } from './imports/cleanup'
import { type DailyJob, resumeDailyJobs, runDailyJobs } from './jobs/job-runs'
import type { Millis } from './lib/clock'
import { logError } from './lib/log'
import { runOrderMaintenance } from './orders/expiry'
import { createPayments } from './payments/payments'
import { deleteOldViewMessages } from './products/product-views'
import { deleteDroppedMasters } from './releases/masters'
import { sendDueStockAlerts } from './stock-alerts/stock-alerts'
import { deleteErasedCustomers } from './subscriptions/subscriptions'
import { deleteDroppedUploads, deleteUnreferencedUploads } from './uploads/cleanup'
import { syncPublicImages } from './uploads/public-images'

/** Run once a day, in this order. Names are stored in job_runs: a renamed job loses its unfinished run. */
export const DAILY_JOBS: readonly DailyJob[] = [
  { name: 'Delete expired exports', step: cleanUpExports },
  { name: 'Delete unreferenced files', step: deleteUnreferencedUploads },
  { name: 'Delete abandoned and replaced masters', step: deleteDroppedMasters },
  { name: 'Delete replaced downloads', step: deleteSupersededDownloads },
  { name: 'Delete old ids of counted views', step: deleteOldViewMessages },
  { name: 'Delete old webhook deliveries', step: deleteOldDeliveries },
  { name: 'Delete receipts of deleted accounts', step: deleteErasureReceipts },
  { name: 'Warn inactive accounts', step: warnInactiveUsers },
  { name: 'Erase inactive accounts', step: eraseInactiveUsers },
  { name: 'Erase unconfirmed accounts', step: eraseUnconfirmedUsers },
  ...RETENTION_JOBS,
  { name: 'Start the weekly archive', step: startWeeklyArchive },
  { name: 'Delete expired archives', step: deleteExpiredArchives },
  { name: 'Forget erasures older than every archive', step: deleteOldErasures },
]

/** Run every five minutes, in this order. Keys appear in logs. */
const FIVE_MINUTE_JOBS: Record<string, (env: Env, at: Millis) => Promise<unknown>> = {
  finalizeChallenges: ({ DB }, at) => finalizeDueChallenges(openDb(DB), at),
  notifyEntrants: async (env, at) => {
    const db = openDb(env.DB)
    await notifyEntrants({ db, origin: readConfig(env).jobOrigin }, at)
    await enqueuePendingEmails(db, env.MAIL, at)
  },
  sendStockAlerts: async (env, at) => {
    const deps = jobDeps(env)
    await sendDueStockAlerts(deps, at)
    await enqueuePendingEmails(deps.db, env.MAIL, at)
  },
  markStaleEmails: ({ DB }, at) => markStaleClaimsUnknown(openDb(DB), at),
  resumeBroadcasts,
  requeueEmails: ({ DB, MAIL }, at) => requeueOverdueEmails(openDb(DB), MAIL, at),
  reportEmailQuota: (env, at) => reportUsedUpTotal(jobDeps(env), at),
  notifyOwners: async (env, at) => {
    const deps = jobDeps(env)
    await notifyOwners(deps, at)
    await enqueuePendingEmails(deps.db, env.MAIL, at)
  },
  resumeDailyJobs: (env, at) => resumeDailyJobs(DAILY_JOBS, jobDeps(env), at, logFailure),
  // Also a daily job; here so that files of an erased account are deleted within minutes.
  cleanUpExports: ({ DB, FILES }, at) => cleanUpExports({ db: openDb(DB), files: FILES }, at),
  syncPublicImages: ({ DB, FILES, PUBLIC_IMAGES }, at) =>
    syncPublicImages({ db: openDb(DB), files: FILES, bucket: PUBLIC_IMAGES }, at),
  deleteDroppedUploads: ({ DB, FILES }) => deleteDroppedUploads({ db: openDb(DB), files: FILES }),
  requeuePreviews: ({ DB, PREVIEWS }, at) => requeuePreviews(openDb(DB), PREVIEWS, at),
  reportWebhooks: async ({ DB, PREVIEWS }, at) => {
    await reportReleases(openDb(DB), at)
    await enqueueDueDeliveries(openDb(DB), PREVIEWS, at)
  },
  copyErasures: ({ DB, FILES }, at) => copyErasures({ db: openDb(DB), files: FILES }, at),
  requeueArchives: ({ DB, EXPORTS }, at) => requeueArchives(openDb(DB), EXPORTS, at),
  requeueImports: ({ DB, EXPORTS }, at) => requeueImports(openDb(DB), EXPORTS, at),
  deleteImportFiles: ({ DB, FILES }, at) => deleteImportFiles({ db: openDb(DB), files: FILES }, at),
  startScheduledExports: ({ DB, EXPORTS }, at) => startScheduledExports(openDb(DB), EXPORTS, at),
  requeueExports: ({ DB, EXPORTS }, at) => requeueExports(openDb(DB), EXPORTS, at),
  prepareDownloads,
  maintainOrders: async (env, at) => {
    const config = readConfig(env)
    const db = openDb(env.DB)
    const services = createPayments({ config, db, now: () => at, origin: config.jobOrigin })
    if (!services) return
    await runOrderMaintenance({ db, payments: services.payments, onPaymentEvent: services.onPaymentEvent, at })
    const { billing } = services
    if (billing) await deleteErasedCustomers({ db, billing, secret: config.signingSecret }, at)
  },
}
const FIVE_MINUTE_CRON = '*/5 * * * *'

/** Runs the jobs of a cron trigger. Errors are logged; the other jobs still run. */
export async function runScheduledJobs(cron: string, env: Env, at: Millis): Promise<void> {
  if (cron === FIVE_MINUTE_CRON) {
    for (const [job, run] of Object.entries(FIVE_MINUTE_JOBS))
      await run(env, at).catch((error: unknown) => logFailure(job, error))
    return
  }
  await runDailyJobs(DAILY_JOBS, jobDeps(env), at, logFailure)
  await enqueuePendingEmails(openDb(env.DB), env.MAIL, at).catch((error: unknown) => logFailure('enqueueEmails', error))
}

const logFailure = (job: string, error: unknown) => logError('scheduled', error, { job })

function jobDeps(env: Env): Deps {
  const { signingSecret: secret, jobOrigin: origin } = readConfig(env)
  return { db: openDb(env.DB), files: env.FILES, sessions: env.SESSIONS, secret, origin }
}
