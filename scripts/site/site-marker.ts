import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const markerPath = (state: string) => join(state, 'own-site')

/** Whether `site:init` set up an artist in this state folder, which then gets no demo. */
export const hasArtistSite = (state: string): boolean => existsSync(markerPath(state))

export function markArtistSite(state: string): void {
  writeFileSync(
    markerPath(state),
    'Set up by npm run site:init. Without this file, npm start and npm run dev add the demo.\n',
  )
}
