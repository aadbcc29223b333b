import { newApp } from './app'
import type { Env, Job } from './config'

const app = newApp()

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Env, Job>
