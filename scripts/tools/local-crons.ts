import { setTimeout as wait } from 'node:timers/promises'
import { unstable_readConfig } from 'wrangler'

const MINUTE_MS = 60_000

/** Whether a cron expression of numbers, `*` and steps matches the minute (UTC). */
export function matchesCron(cron: string, date: Date): boolean {
  const [minute, hour, day, month, weekday] = cron.split(' ')
  return [
    [minute, date.getUTCMinutes()] as const,
    [hour, date.getUTCHours()] as const,
    [day, date.getUTCDate()] as const,
    [month, date.getUTCMonth() + 1] as const,
    [weekday, date.getUTCDay()] as const,
  ].every(([field = '*', value]) => {
    const [base, step] = field.split('/')
    return base === '*' ? value % Number(step ?? 1) === 0 : Number(base) === value
  })
}

/** Runs the scheduled jobs of a cron on a local server. @throws Error if the server does not run them. */
export async function runCron(origin: string, cron: string, at: number): Promise<void> {
  const response = await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}&time=${at}`)
  if (!response.ok) throw new Error(`The jobs failed: ${response.status} ${await response.text()}`)
}

/** Runs the five-minute jobs on a local server, as if it was `at`. */
export const runFiveMinuteJobs = (origin: string, at = Date.now()): Promise<void> => runCron(origin, '*/5 * * * *', at)

/**
 * Triggers the crons of wrangler.toml on a local server, which `wrangler dev` does not do. Those that run every few
 * minutes also run immediately, to resume the work of an earlier server. Never returns.
 */
export async function runLocalCrons(origin: string): Promise<never> {
  const { crons = [] } = unstable_readConfig({ config: 'wrangler.toml' }).triggers
  const trigger = (cron: string, time: number) =>
    runCron(origin, cron, time).catch((error: unknown) => console.error(`Cron ${cron}: ${error}`))
  for (const cron of crons) if (cron.startsWith('*')) await trigger(cron, Date.now())
  for (;;) {
    const minute = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS
    await wait(minute - Date.now(), undefined, { ref: false })
    for (const cron of crons) if (matchesCron(cron, new Date(minute))) void trigger(cron, minute)
  }
}
