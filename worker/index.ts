import { createApp } from './app'
import type { Env } from './env'
import { consumeBatch } from './queues'
import { runScheduledJobs } from './schedule'

export { LivePoll } from './polls/live'
export { VoteBatcher } from './polls/vote-batcher'

export default {
  fetch: createApp().fetch,
  queue: (batch, env) => consumeBatch(batch, env),
  scheduled: ({ cron, scheduledTime }, env) => runScheduledJobs(cron, env, scheduledTime),
} satisfies ExportedHandler<Env>
