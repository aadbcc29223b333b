import { createApp } from './app'
import type { Env } from './env'

export { LivePoll } from './polls/live'
export { VoteBatcher } from './polls/vote-batcher'

export default {
  fetch: createApp().fetch,
  // These modules load on demand, like the routes, so that a new isolate answers its first request sooner.
  queue: async (batch, env) => (await import('./queues')).consumeBatch(batch, env),
  scheduled: async ({ cron, scheduledTime }, env) =>
    (await import('./schedule')).runScheduledJobs(cron, env, scheduledTime),
} satisfies ExportedHandler<Env>
