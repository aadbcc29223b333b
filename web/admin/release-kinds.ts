import type { ReleaseKind } from '../../worker/contract/releases'

export const KIND_LABELS: Readonly<Record<ReleaseKind, string>> = { single: 'Single', ep: 'EP', album: 'Album' }
