/**
 * The address of /subscribe: `?tier=` preselects a paid tier; 'vip' is another name of gold (ruling 26). `?subscribed=`
 * is where the provider's page leads back to; it proves nothing.
 */
export type SubscribeSearch = { tier?: 'silver' | 'gold'; subscribed?: 'silver' | 'gold' }

export function subscribeSearch(search: Record<string, unknown>): SubscribeSearch {
  const tier = paidTier(search.tier)
  const subscribed = paidTier(search.subscribed)
  return { ...(tier && { tier }), ...(subscribed && { subscribed }) }
}

function paidTier(name: unknown): 'silver' | 'gold' | undefined {
  if (name === 'silver') return 'silver'
  return name === 'gold' || name === 'vip' ? 'gold' : undefined
}
