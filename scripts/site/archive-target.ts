import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localSecret, type SiteEnv, withLocalBindings, withRemoteBindings } from '../tools/bindings.ts'
import { migrateLocal } from '../tools/migrations.ts'
import { lockState } from '../tools/state-lock.ts'

type ArchiveTarget = { file: string; withSite: <T>(work: (env: SiteEnv) => Promise<T>) => Promise<T>; secret: string }

/**
 * Reads the arguments of `npm run archive` and `npm run restore`: the file and the site. Locks and migrates a local
 * site. @throws Error with a message for the operator
 */
export async function prepareTarget(usage: string): Promise<ArchiveTarget> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: 'boolean', default: false },
      state: { type: 'string', default: process.env.STATE ?? '.wrangler/state' },
    },
  })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Error(`Usage: ${usage}`)
  const secret = process.env.SIGNING_SECRET ?? (values.remote || !existsSync('.dev.vars') ? undefined : localSecret())
  if (!secret) throw new Error('Set SIGNING_SECRET to the site’s secret: SIGNING_SECRET=... in front of the command.')
  if (values.remote) return { file, secret, withSite: withRemoteBindings }
  process.on('exit', lockState(values.state).release)
  await migrateLocal(values.state)
  return { file, secret, withSite: (work) => withLocalBindings(values.state, work) }
}
