import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const markOf = (state: string) => join(state, 'own-site')

/** True where an artist of one's own was set up in these local stores: the demo stays away from them. */
export const isOwnSite = (state: string): boolean => existsSync(markOf(state))

export function markOwnSite(state: string): void {
  writeFileSync(markOf(state), 'Set up by npm run site:init. Without this file npm start would move the demo in.\n')
}
