import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const markerPath = (state: string) => join(state, 'own-site')

/** True if `site:init` set up an artist in this local state. The demo is not added to it. */
export const isOwnSite = (state: string): boolean => existsSync(markerPath(state))

export function markOwnSite(state: string): void {
  writeFileSync(
    markerPath(state),
    'Set up by npm run site:init. Without this file, npm start and npm run dev add the demo.\n',
  )
}
