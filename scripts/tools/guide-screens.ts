import type { ScreenId } from '../../worker/contract/admin-screens.ts'

/** The screens of the dashboard that docs/admin-guide.md shows, those for work away from a computer on a phone. */
export const GUIDE_SCREENS: readonly { id: ScreenId; device: 'desktop' | 'phone' }[] = [
  ...(['home', 'orders', 'music', 'concerts', 'merch', 'sales', 'discounts', 'codes', 'shipping'] as const),
  ...(['supporters', 'community', 'polls', 'missions', 'challenge', 'email', 'privacy', 'import'] as const),
  ...(['site', 'theme', 'team', 'exports', 'developers', 'system', 'audit'] as const),
]
  .map((id): { id: ScreenId; device: 'desktop' | 'phone' } => ({ id, device: 'desktop' }))
  .concat({ id: 'packing', device: 'phone' }, { id: 'door', device: 'phone' })

/** The file of a screen's picture in docs/screens. */
export const guideImage = (id: ScreenId): string => `admin-${id}.webp`
