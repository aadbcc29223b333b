import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

function localDay(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Today where the viewer is, YYYY-MM-DD; null while rendering on the server, which cannot know it. */
export function useToday(): string | null {
  return useSyncExternalStore(noSubscription, localDay, () => null)
}
