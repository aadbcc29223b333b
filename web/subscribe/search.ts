/** The address of /subscribe: `?tier=` preselects a paid tier; 'vip' is another name of gold (ruling 26). */
export type SubscribeSearch = { tier?: 'silver' | 'gold' }

export function subscribeSearch(search: Record<string, unknown>): SubscribeSearch {
  if (search.tier === 'silver') return { tier: 'silver' }
  return search.tier === 'gold' || search.tier === 'vip' ? { tier: 'gold' } : {}
}
