import type { ScreenId } from '../../worker/contract/admin-screens.ts'

/** The screens that docs/admin-guide.md shows, and the device of the screenshot: phone if admins use one there. */
export const GUIDE_SCREENS: readonly { id: ScreenId; device: 'desktop' | 'phone' }[] = [
  ...(['home', 'orders', 'music', 'concerts', 'merch', 'sales', 'discounts', 'codes', 'shipping'] as const),
  ...(['supporters', 'community', 'polls', 'missions', 'challenge', 'email', 'privacy', 'import'] as const),
  ...(['site', 'theme', 'team', 'exports', 'developers', 'system', 'audit'] as const),
]
  .map((id): { id: ScreenId; device: 'desktop' | 'phone' } => ({ id, device: 'desktop' }))
  .concat({ id: 'packing', device: 'phone' }, { id: 'door', device: 'phone' })

/** Name of a screen's screenshot in docs/screens. */
export const screenshotFile = (id: ScreenId): string => `admin-${id}.webp`
