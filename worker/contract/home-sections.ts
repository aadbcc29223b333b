import type { Appearance } from './appearance'

/**
 * Sections of the home page in their default order. `label` is the default text of the link in the
 * navigation; sections without a label have no link.
 */
export const HOME_SECTIONS = [
  { id: 'music', title: 'Latest Releases', label: 'Music' },
  { id: 'merch', title: 'Merch Store', label: 'Merch' },
  { id: 'concerts', title: 'Live Shows', label: 'Concerts' },
  { id: 'exclusive', title: 'The Zone', label: 'Exclusive' },
  { id: 'smart-features', title: 'Supporter Hub', label: 'Supporter Missions' },
  { id: 'community', title: 'Community' },
  { id: 'newsletter', title: 'Newsletter' },
] as const
export type HomeSectionId = (typeof HOME_SECTIONS)[number]['id']
export type NavSectionId = Extract<(typeof HOME_SECTIONS)[number], { label: string }>['id']

export const SECTION_IDS = HOME_SECTIONS.map(({ id }) => id)
export const NAV_SECTIONS = HOME_SECTIONS.filter((section) => 'label' in section)

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
