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

/**
 * Triggers the crons of wrangler.toml on a local server, which `wrangler dev` does not do. Those that run every few
 * minutes also run immediately, to resume the work of an earlier server. Never returns.
 */
export async function runLocalCrons(origin: string): Promise<never> {
  const { crons = [] } = unstable_readConfig({ config: 'wrangler.toml' }).triggers
  const trigger = async (cron: string, time: number) => {
    const url = `${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}&time=${time}`
    await fetch(url).catch(() => undefined)
  }
  for (const cron of crons) if (cron.startsWith('*')) await trigger(cron, Date.now())
  for (;;) {
    const minute = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS
    await wait(minute - Date.now(), undefined, { ref: false })
    for (const cron of crons) if (matchesCron(cron, new Date(minute))) void trigger(cron, minute)
  }
}
