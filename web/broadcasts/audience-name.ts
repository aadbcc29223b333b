import type { Broadcast } from '../../worker/contract/broadcasts'

/** Who a broadcast is for, in words. */
export function audienceName({ kind, value }: Broadcast['audience']): string {
  if (kind === 'all') return 'Every reader'
  if (kind === 'alerts') return `Who asked for shows in ${value}`
  return kind === 'city' ? `Readers in ${value}` : `Readers with ${value}`
}
