/** `tier` preselects a tier; 'vip' means gold. `subscribed` is set by the provider's return URL and proves nothing. */
type SubscribeSearch = { tier?: 'silver' | 'gold'; subscribed?: 'silver' | 'gold' }

export function parseSubscribeSearch(search: Record<string, unknown>): SubscribeSearch {
  const tier = paidTier(search.tier)
  const subscribed = paidTier(search.subscribed)
  return { ...(tier && { tier }), ...(subscribed && { subscribed }) }
}

function paidTier(name: unknown): 'silver' | 'gold' | undefined {
  if (name === 'silver') return 'silver'
  return name === 'gold' || name === 'vip' ? 'gold' : undefined
}
