import type { Appearance } from './appearance'
import { SECTION_IDS } from './home-sections'

// Apart from the schemas, so that public pages do not load zod.

export const LEGAL_TEXT_IDS = ['terms', 'returns', 'imprint'] as const
export type LegalTextId = (typeof LEGAL_TEXT_IDS)[number]

/** Legal texts that a shop may have to publish. An empty text has no page. */
export const LEGAL_TEXTS: readonly { id: LegalTextId; title: string }[] = [
  { id: 'terms', title: 'Terms of Sale' },
  { id: 'returns', title: 'Shipping and Returns' },
  { id: 'imprint', title: 'Legal Notice' },
]

export const legalTextPath = (id: LegalTextId) => `/legal/${id}`

/** The appearance until the team changes it. */
export const DEFAULT_APPEARANCE: Appearance = { accent: null, sections: SECTION_IDS, labels: {}, legal: [] }
