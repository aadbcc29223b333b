import type { TokenArea, TokenScope } from './developers'
import type { Endpoint } from './endpoint'

/** Area by the path segment after `/api/admin/`. A token cannot call endpoints with other segments. */
const AREA_BY_PATH_SEGMENT: Readonly<Record<string, TokenArea>> = {
  overview: 'metrics',
  metrics: 'metrics',
  sales: 'metrics',
  orders: 'orders',
  customers: 'orders',
  shipments: 'orders',
  payments: 'orders',
  products: 'shop',
  'product-order': 'shop',
  discounts: 'shop',
  'promotion-code': 'shop',
  'shipping-zones': 'shop',
  'shipping-zone-order': 'shop',
  'tax-rates': 'shop',
  'shop-settings': 'shop',
  'download-codes': 'shop',
  tracks: 'music',
  'track-order': 'music',
  releases: 'music',
  uploads: 'music',
  'master-uploads': 'music',
  concerts: 'shows',
  'city-demand': 'shows',
  posts: 'community',
  community: 'community',
  polls: 'community',
  missions: 'community',
  'mission-order': 'community',
  challenges: 'challenge',
  supporters: 'supporters',
  'supporter-notes': 'supporters',
  points: 'supporters',
  newsletter: 'email',
  broadcasts: 'email',
  'broadcast-audiences': 'email',
  'broadcast-preview': 'email',
  site: 'site',
  appearance: 'site',
  'legal-texts': 'site',
  tiers: 'site',
  'social-posts': 'site',
  'social-post-order': 'site',
}

/**
 * The scope a token needs for an endpoint; null if no token may call it: it is not for admins, needs re-authentication
 * or has no area, such as team, secrets, privacy and exports.
 */
export function tokenScope({ method, path, auth, recentAuth }: Endpoint): TokenScope | null {
  if (auth !== 'admin' || recentAuth) return null
  const area = AREA_BY_PATH_SEGMENT[/^\/api\/admin\/([\w-]+)/.exec(path)?.[1] ?? '']
  return area ? `${area}:${method === 'GET' ? 'read' : 'write'}` : null
}

/** Whether the endpoint is a read that needs neither a session nor a token. */
export const isPublicRead = ({ method, path, auth }: Endpoint) =>
  method === 'GET' && auth === 'visitor' && !path.startsWith('/api/auth/')
